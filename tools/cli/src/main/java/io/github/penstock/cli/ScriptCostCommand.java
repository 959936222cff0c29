package io.github.penstock.cli;

import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.result.BenchmarkTables;
import io.github.penstock.benchmarks.result.ScriptCost;
import io.github.penstock.benchmarks.server.ReservationCostMeter;
import io.github.penstock.benchmarks.server.ScriptCostMeter;
import io.github.penstock.operations.server.CheckedServer;
import io.github.penstock.operations.server.TemporaryKeys;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.ProgressLine;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.text.NumberText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
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
          + " on 2,000 keys of each case in random order; all cases are interleaved, and the best "
          + ScriptCostMeter.AT_ONCE
          + " calls count. Also measures the bytes of a key.",
      "Calls under several limits are held against as many charges, each by its own script.",
      "The floors are scripts that make the same server commands (TIME, GET and SET; TIME and GET"
          + " of a denied call) with constant arguments and answer six integers."
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
      description =
          "rounds, in each of which all cases are interleaved (default ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--calls",
      paramLabel = "N",
      defaultValue = "20000",
      description =
          "calls per case and round, "
              + ScriptCostMeter.AT_ONCE
              + " in an iteration (default ${DEFAULT-VALUE}).")
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
    ProgressLine progress = new ProgressLine(spec.commandLine().getErr());
    try (ScriptCostMeter meter = ScriptCostMeter.onShortKeys(client)) {
      meter.tells(
          (done, of) -> progress.update(() -> "measuring  " + done + " of " + of + " rounds"));
      List<ScriptCost> costs = meter.measure(cases(), KEYS, rounds, iterations());
      progress.clear();
      BenchmarkTables.scripts(costs)
          .figure("bytes of a key", FigureKind.COUNT, cost -> bytes(meter, cost.call()))
          .brief("bytes of a key,|" + meter.bytesOfName() + " its name")
          .lines()
          .forEach(out::println);
    }
    out.println();
    try (TemporaryKeys keys = new TemporaryKeys(client);
        ReservationCostMeter meter = new ReservationCostMeter(client, keys.prefix())) {
      BenchmarkTables.reservations(meter.measure(KEYS, rounds * iterations()))
          .lines()
          .forEach(out::println);
    }
  }

  private int iterations() {
    return (calls + ScriptCostMeter.AT_ONCE - 1) / ScriptCostMeter.AT_ONCE;
  }

  private List<ScriptCase> cases() {
    List<ScriptCase> cases = new ArrayList<>();
    cases.add(ScriptCase.floor(FloorCall.SAME_COMMANDS));
    cases.add(ScriptCase.floor(FloorCall.SAME_COMMANDS_DENIED));
    for (PenstockAlgorithm algorithm : PenstockAlgorithm.all()) {
      cases.addAll(allowed(algorithm));
      cases.add(ScriptCase.of(algorithm, form(), 1, false));
      cases.add(ScriptCase.of(algorithm, form(), SEVERAL, false));
    }
    return cases;
  }

  private static @Nullable Long bytes(ScriptCostMeter meter, ScriptCase call) {
    return call.allowed() && !call.isFloor() ? meter.bytesPerKey(call) : null;
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
