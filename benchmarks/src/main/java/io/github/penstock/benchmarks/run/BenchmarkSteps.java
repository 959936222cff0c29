package io.github.penstock.benchmarks.run;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate.NativeCommand;
import io.github.penstock.benchmarks.limiter.BenchmarkTarget;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.BenchmarkSelection;
import io.github.penstock.benchmarks.plan.CaseGroup;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.plan.ServerCase;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.GrowthPoint;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.benchmarks.result.NearCost;
import io.github.penstock.benchmarks.server.ClusterGrowth;
import io.github.penstock.benchmarks.server.ReplicatedServer;
import io.github.penstock.benchmarks.server.ReservationCostMeter;
import io.github.penstock.benchmarks.server.ScriptCostMeter;
import io.github.penstock.benchmarks.server.ServerUseMeter;
import io.github.penstock.testkit.server.ServerExecutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;

/** Everything that a bench does, in order: first on the server, which is short, then in JMH. */
final class BenchmarkSteps {
  private static final int SCRIPT_KEYS = 1_000;
  private static final int SCRIPT_ITERATIONS = 5;
  private static final List<Integer> KEYS = List.of(1_000, 10_000, 100_000, 1_000_000);
  private static final int OTHERS_KEYS = 100_000;
  private static final double DECISIONS_A_SECOND = 15_000;
  private static final List<Integer> MASTERS = List.of(1, 2, 3);
  /* On two, all masters share them with the client, and more masters cannot be faster. */
  private static final int FEWEST_PROCESSORS = 2;
  private final BenchmarkSelection selection;
  private final BenchmarkProfile profile;
  private final BenchmarkTarget target;
  private final BenchmarkResults results;
  private final List<Step> steps = new ArrayList<>();

  /**
   * One measurement, which is then reported to its listener.
   *
   * @param label its name, in a few words
   * @param seconds how long it should take
   * @param work measures, tells how far it is, and returns the figure in few characters
   */
  record Step(String label, double seconds, Function<StepProgress, String> work) {}

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
   * Scripts alone, and how their cost grows with keys and masters.
   *
   * @param executable starts the nodes of a cluster, null for a server with other users
   */
  BenchmarkSteps scripts(RedisClient client, @Nullable ServerExecutable executable) {
    boolean ours = executable != null;
    int rounds = profile.rounds();
    add("server: every script alone", 3 * rounds, progress -> scripts(client, ours));
    add("server: calls under several limits", rounds, progress -> reservations(client));
    List<Integer> sizes = KEYS.stream().filter(keys -> ours || keys <= OTHERS_KEYS).toList();
    String most = String.format(Locale.ROOT, "%,d", sizes.get(sizes.size() - 1));
    add("server: among 1,000 to " + most + " keys", 12 + rounds, progress -> keys(client, sizes));
    if (executable != null && Runtime.getRuntime().availableProcessors() > FEWEST_PROCESSORS) {
      add(
          "clusters of 1, 2 and 3 masters",
          8 + rounds * 0.3,
          progress ->
              grown(ClusterGrowth.measure(executable, MASTERS, rounds, profile.decisions())));
    }
    return this;
  }

  /** Limiters' use of the server. */
  BenchmarkSteps uses(@Nullable ReplicatedServer replicated) {
    ServerUseMeter meter = new ServerUseMeter(target.url(), replicated, profile.decisions());
    List<ServerCase> cases = selection.serverCases();
    int rounds = profile.rounds();
    add(
        "server: what " + cases.size() + " limiters use of it, interleaved",
        cases.size() * (1 + rounds * profile.decisions() / DECISIONS_A_SECOND),
        progress -> {
          results
              .server()
              .addAll(meter.measure(cases, rounds, done -> progress.within(done, rounds)));
          return cases.size() + " cases";
        });
    return this;
  }

  /** The cost of remembering denials where it does not help. */
  BenchmarkSteps nearCosts() {
    add(
        "without a server: a call that remembering does not help",
        NearCostRun.seconds(profile),
        progress -> nearCost());
    return this;
  }

  private String nearCost() {
    List<NearCost> costs = NearCostRun.measure(profile);
    results.nearCosts().addAll(costs);
    return String.format(Locale.ROOT, "%9.0f ns", costs.get(1).nanos());
  }

  /** Every case that is wanted, in JMH. */
  BenchmarkSteps cases(JmhRunner runner) {
    int rounds = selection.given().allRounds(profile);
    for (CaseGroup group : CaseGroup.of(selection.cases())) {
      add(
          group.label(),
          selection.given().seconds(profile, group),
          progress -> put(runner.run(group, known -> round(known, progress, rounds))));
    }
    return this;
  }

  private void add(String label, double seconds, Function<StepProgress, String> work) {
    steps.add(new Step(label, seconds, work));
  }

  private void round(List<MeasuredCase> known, StepProgress progress, int rounds) {
    put(known);
    progress.within(known.get(0).iterations().size(), rounds);
  }

  private String scripts(RedisClient client, boolean ours) {
    List<ScriptCase> calls = ScriptCase.all(ours && hasFunctions(client), hasIncrex(client));
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

  private static boolean hasIncrex(RedisClient client) {
    CommandArguments info = new CommandArguments(Protocol.Command.COMMAND).add("INFO");
    Object known = client.executeCommand(info.add(NativeCommand.INCREX.name()));
    return known instanceof List<?> commands && commands.get(0) != null;
  }

  private String keys(RedisClient client, List<Integer> sizes) {
    List<ScriptCase> calls =
        List.of(
            ScriptCase.of(PenstockAlgorithm.TOKEN_BUCKET, ScriptCase.Form.SHIPPED, 1, true),
            ScriptCase.floor(FloorCall.SAME_COMMANDS));
    int iterations = Math.max(1, profile.decisions() / ScriptCostMeter.AT_ONCE);
    try (ScriptCostMeter meter = new ScriptCostMeter(client, target.prefix())) {
      return grown(meter.measureAmong(sizes, calls, profile.rounds(), iterations));
    }
  }

  private String grown(List<GrowthPoint> points) {
    results.growth().addAll(points);
    return String.format(Locale.ROOT, "%9.2f µs", points.get(0).micros());
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
