package io.github.penstock.benchmarks.run;

import io.github.penstock.benchmarks.limiter.BenchmarkTarget;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.BenchmarkSelection;
import io.github.penstock.benchmarks.plan.CaseGroup;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.plan.ServerCase;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.benchmarks.server.ReservationCostMeter;
import io.github.penstock.benchmarks.server.ScriptCostMeter;
import io.github.penstock.benchmarks.server.ServerUseMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;

/** Everything that a bench does, in order: first on the server, which is short, then in JMH. */
final class BenchmarkSteps {
  private static final int SCRIPT_KEYS = 1_000;
  private static final int SCRIPT_ITERATIONS = 5;
  private final BenchmarkSelection selection;
  private final BenchmarkProfile profile;
  private final BenchmarkTarget target;
  private final BenchmarkResults results;
  private final List<Step> steps = new ArrayList<>();

  /**
   * One measurement.
   *
   * @param label its name, in a few words
   * @param work measures, and returns the figure in few characters
   */
  record Step(String label, Supplier<String> work) {}

  BenchmarkSteps(BenchmarkSelection selection, BenchmarkTarget target, BenchmarkResults results) {
    this.selection = selection;
    this.profile = selection.profile();
    this.target = target;
    this.results = results;
  }

  List<Step> list() {
    return steps;
  }

  /**
   * Scripts alone, and limiters' use of the server.
   *
   * @param ours whether the server has no other users, so that its functions may be replaced
   */
  BenchmarkSteps server(RedisClient client, boolean ours) {
    int rounds = profile.rounds();
    add("server: every script alone", () -> scripts(client, ours));
    add("server: calls under several limits", () -> reservations(client));
    ServerUseMeter meter = new ServerUseMeter(target.url(), profile.decisions());
    List<ServerCase> cases = selection.serverCases();
    add(
        "server: what " + cases.size() + " limiters use of it, interleaved",
        () -> {
          results.server().addAll(meter.measure(cases, rounds));
          return cases.size() + " cases";
        });
    return this;
  }

  /** Every case that is wanted, in JMH. */
  BenchmarkSteps cases(JmhRunner runner) {
    for (CaseGroup group : CaseGroup.of(selection.cases())) {
      add(group.label(), () -> put(runner.run(group)));
    }
    return this;
  }

  private void add(String label, Supplier<String> work) {
    steps.add(new Step(label, work));
  }

  private String scripts(RedisClient client, boolean ours) {
    List<ScriptCase> calls = ScriptCase.all(ours && hasFunctions(client));
    try (ScriptCostMeter meter = new ScriptCostMeter(client, target.prefix())) {
      results
          .scripts()
          .addAll(meter.measure(calls, SCRIPT_KEYS, profile.rounds(), SCRIPT_ITERATIONS));
    }
    return calls.size() + " cases";
  }

  private String reservations(RedisClient client) {
    int iterations = SCRIPT_ITERATIONS * profile.rounds();
    try (ReservationCostMeter meter = new ReservationCostMeter(client, target.prefix())) {
      results.reservations().putAll(meter.measure(SCRIPT_KEYS, iterations));
    }
    return results.reservations().size() + " cases";
  }

  private static boolean hasFunctions(RedisClient client) {
    try {
      client.functionList();
      return true;
    } catch (JedisDataException unknown) {
      return false;
    }
  }

  private String put(List<MeasuredCase> measured) {
    measured.forEach(results::put);
    return measured.stream()
        .filter(m -> !m.present())
        .findFirst()
        .map(m -> "failed: " + m.what().candidate().title() + ": " + m.problem())
        .orElseGet(() -> shown(measured));
  }

  private static String shown(List<MeasuredCase> measured) {
    return measured.stream()
        .filter(m -> m.what().candidate() == PenstockAlgorithm.TOKEN_BUCKET)
        .findFirst()
        .map(
            m ->
                String.format(
                    Locale.ROOT, "%s %,.0f a second", m.what().candidate().title(), m.perSecond()))
        .orElse("");
  }
}
