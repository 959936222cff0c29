package io.github.penstock.cli;

import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.plan.ReservationCase;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.result.ScriptCost;
import io.github.penstock.benchmarks.server.ReservationCostMeter;
import io.github.penstock.benchmarks.server.ScriptCostMeter;
import io.github.penstock.operations.server.CheckedServer;
import io.github.penstock.operations.server.TemporaryKeys;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.ProgressLine;
import io.github.penstock.report.console.TextTable;
import io.github.penstock.report.text.NumberText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import redis.clients.jedis.RedisClient;

/** The cost of a decision on the server, beside scripts that only make the same server commands. */
@Command(
    name = "script-cost",
    header = "Measures what one decision of each script costs on the server.",
    description = {
      "Measures microseconds per EVALSHA as the server counts them. Calls are pipelined by "
          + ScriptCostMeter.AT_ONCE
          + " on 2,000 keys of each case in random order; all cases take turns, and the best "
          + ScriptCostMeter.AT_ONCE
          + " calls count. Also measures the bytes of a key.",
      "Calls under several limits are held against as many charges, each by its own script.",
      "The floors are scripts that make the same server commands with constant arguments and answer"
          + " six integers."
    },
    mixinStandardHelpOptions = true)
final class ScriptCostCommand implements Runnable {
  private static final int KEYS = 2_000;
  private static final int SEVERAL = 3;
  @Spec private CommandSpec spec;
  @Mixin private final ServerOptions options = new ServerOptions();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "rounds, in each of which all cases take turns (default ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--calls",
      paramLabel = "N",
      defaultValue = "20000",
      description =
          "calls per case and round, "
              + ScriptCostMeter.AT_ONCE
              + " in a turn (default ${DEFAULT-VALUE}).")
  private int calls;

  @Option(names = "--source", description = "measure the readable form, not the one that ships.")
  private boolean readable;

  @Override
  public void run() {
    require("--rounds", rounds, 1_000);
    require("--calls", calls, 10_000_000);
    PrintWriter out = spec.commandLine().getOut();
    OrderlyStop.around(() -> run(out));
  }

  private void run(PrintWriter out) {
    try (CheckedServer server = options.open()) {
      out.println("Server: " + server.title());
      server.run(client -> print(out, client));
    }
  }

  private void print(PrintWriter out, RedisClient client) {
    out.printf(
        Locale.ROOT,
        "%s of each case in a round, %,d keys, the best %d calls of %s; %s form%n%n",
        NumberText.count(calls, "call"),
        KEYS,
        ScriptCostMeter.AT_ONCE,
        NumberText.count(rounds, "round"),
        form().title());
    ProgressLine progress = new ProgressLine(spec.commandLine().getErr(), Duration.ofSeconds(30));
    try (ScriptCostMeter meter = ScriptCostMeter.onShortKeys(client)) {
      meter.tells(
          (done, of) -> progress.update(() -> "measuring  " + done + " of " + of + " rounds"));
      TextTable times = times(meter);
      progress.clear();
      times.lines().forEach(out::println);
      out.println();
      memory(meter).lines().forEach(out::println);
    }
    out.println();
    try (TemporaryKeys keys = new TemporaryKeys(client);
        ReservationCostMeter meter = new ReservationCostMeter(client, keys.prefix())) {
      reservations(meter).lines().forEach(out::println);
    }
  }

  private TextTable reservations(ReservationCostMeter meter) {
    Map<ReservationCase, Double> micros = meter.measure(KEYS, rounds * turns());
    TextTable table =
        new TextTable(1)
            .row("several limits in one call", "µs per call", "of scripts of their own");
    micros.forEach(
        (call, each) ->
            table.row(
                call.title(),
                NumberText.hundredths(each),
                NumberText.hundredths(each / micros.getOrDefault(call.floor(), each))));
    return table;
  }

  private int turns() {
    return (calls + ScriptCostMeter.AT_ONCE - 1) / ScriptCostMeter.AT_ONCE;
  }

  private TextTable times(ScriptCostMeter meter) {
    List<ScriptCase> cases = new ArrayList<>();
    cases.add(ScriptCase.floor(FloorCall.SAME_COMMANDS));
    cases.add(ScriptCase.floor(FloorCall.SAME_COMMANDS_DENIED));
    for (PenstockAlgorithm algorithm : PenstockAlgorithm.all()) {
      cases.addAll(allowed(algorithm));
      cases.add(ScriptCase.of(algorithm, form(), 1, false));
      cases.add(ScriptCase.of(algorithm, form(), SEVERAL, false));
    }
    List<ScriptCost> costs = meter.measure(cases, KEYS, rounds, turns());
    TextTable table = new TextTable(2).row("script", "call", "µs per call", "of the floor");
    for (ScriptCost cost : costs) {
      ScriptCase call = cost.call();
      table.row(
          call.isFloor() ? "floor" : call.candidate().title(),
          call.isFloor() ? commands(call) : outcome(call),
          NumberText.hundredths(cost.micros()),
          NumberText.hundredths(cost.micros() / floor(costs, call.allowed())));
    }
    return table;
  }

  private static double floor(List<ScriptCost> costs, boolean allowed) {
    return costs.stream()
        .filter(cost -> cost.call().isFloor() && cost.call().allowed() == allowed)
        .findFirst()
        .orElseThrow()
        .micros();
  }

  private TextTable memory(ScriptCostMeter meter) {
    TextTable table =
        new TextTable(2)
            .row("script", "state of", "bytes per key (" + meter.bytesOfName() + " its name)");
    for (PenstockAlgorithm algorithm : PenstockAlgorithm.all()) {
      for (ScriptCase call : allowed(algorithm)) {
        table.row(algorithm.title(), state(call), Long.toString(meter.bytesPerKey(call)));
      }
    }
    return table;
  }

  private List<ScriptCase> allowed(PenstockAlgorithm algorithm) {
    List<ScriptCase> calls = new ArrayList<>();
    calls.add(ScriptCase.of(algorithm, form(), 1, true));
    if (algorithm.hasRemainder()) {
      calls.add(ScriptCase.uneven(algorithm, form()));
    }
    calls.add(ScriptCase.of(algorithm, form(), SEVERAL, true));
    return calls;
  }

  private static String commands(ScriptCase floor) {
    return floor.allowed() ? "TIME, GET, SET" : "TIME, GET";
  }

  private static String outcome(ScriptCase call) {
    String outcome = call.allowed() ? "allowed" : "denied";
    return call.tiers() == SEVERAL ? "three tiers, " + outcome : outcome + remainder(call);
  }

  private static String state(ScriptCase call) {
    return call.tiers() == SEVERAL ? "three tiers" : "one tier" + remainder(call);
  }

  private static String remainder(ScriptCase call) {
    return call.candidate() instanceof PenstockAlgorithm algorithm
            && call.equals(ScriptCase.uneven(algorithm, call.form()))
        ? ", with remainder"
        : "";
  }

  private ScriptCase.Form form() {
    return readable ? ScriptCase.Form.READABLE : ScriptCase.Form.SHIPPED;
  }

  private void require(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new ParameterException(
          spec.commandLine(),
          option + " must be from 1 to " + String.format(Locale.ROOT, "%,d", most));
    }
  }
}
