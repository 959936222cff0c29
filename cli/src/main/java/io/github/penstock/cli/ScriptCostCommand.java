package io.github.penstock.cli;

import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.result.ScriptCost;
import io.github.penstock.benchmarks.server.ScriptCostMeter;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.ProgressLine;
import io.github.penstock.report.console.TextTable;
import io.github.penstock.report.text.NumberText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
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
      "Microseconds per EVALSHA as the server itself counts them, calls pipelined by "
          + ScriptCostMeter.AT_ONCE
          + " on 2,000 keys of each case in random order; all cases take turns, and the best "
          + ScriptCostMeter.AT_ONCE
          + " calls count. And the bytes of a key.",
      "The floors are scripts that make the same server commands with constant arguments and answer"
          + " six integers."
    },
    mixinStandardHelpOptions = true)
final class ScriptCostCommand implements Runnable {
  private static final int KEYS = 2_000;
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
  }

  private TextTable times(ScriptCostMeter meter) {
    Map<ScriptCase, String> cases = new LinkedHashMap<>();
    cases.put(ScriptCase.floor(FloorCall.SAME_COMMANDS), "TIME, GET, SET");
    cases.put(ScriptCase.floor(FloorCall.SAME_COMMANDS_DENIED), "TIME, GET");
    for (PenstockAlgorithm algorithm : PenstockAlgorithm.values()) {
      cases.putAll(allowed(algorithm));
      cases.put(ScriptCase.of(algorithm, form(), 1, false), "denied");
      cases.put(ScriptCase.of(algorithm, form(), 3, false), "three tiers, denied");
    }
    int turns = (calls + ScriptCostMeter.AT_ONCE - 1) / ScriptCostMeter.AT_ONCE;
    List<ScriptCost> costs = meter.measure(List.copyOf(cases.keySet()), KEYS, rounds, turns);
    TextTable table = new TextTable(2).row("script", "call", "µs per call", "of the floor");
    for (ScriptCost cost : costs) {
      ScriptCase call = cost.call();
      double floor = costs.get(call.allowed() ? 0 : 1).micros();
      table.row(
          call.isFloor() ? "floor" : call.candidate().title(),
          cases.getOrDefault(call, ""),
          NumberText.hundredths(cost.micros()),
          NumberText.hundredths(cost.micros() / floor));
    }
    return table;
  }

  private TextTable memory(ScriptCostMeter meter) {
    TextTable table =
        new TextTable(2)
            .row("script", "state of", "bytes per key (" + meter.bytesOfName() + " its name)");
    for (PenstockAlgorithm algorithm : PenstockAlgorithm.values()) {
      allowed(algorithm)
          .forEach(
              (call, how) ->
                  table.row(
                      algorithm.title(),
                      how.replace(", allowed", "").replace("allowed", "one tier"),
                      Long.toString(meter.bytesPerKey(call))));
    }
    return table;
  }

  private Map<ScriptCase, String> allowed(PenstockAlgorithm algorithm) {
    Map<ScriptCase, String> calls = new LinkedHashMap<>();
    calls.put(ScriptCase.of(algorithm, form(), 1, true), "allowed");
    if (algorithm.hasRemainder()) {
      calls.put(ScriptCase.uneven(algorithm, form()), "allowed, with remainder");
    }
    calls.put(ScriptCase.of(algorithm, form(), 3, true), "three tiers, allowed");
    return calls;
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
