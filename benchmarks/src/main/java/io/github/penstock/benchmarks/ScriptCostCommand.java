package io.github.penstock.benchmarks;

import io.github.penstock.scripts.LuaScript;
import java.io.PrintWriter;
import java.util.ArrayList;
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

/**
 * What one decision costs on the server, beside scripts that only make the same server commands.
 */
@Command(
    name = "script-cost",
    header = "What one decision of each script costs on the server.",
    description = {
      "Microseconds per EVALSHA as the server itself counts them, calls pipelined by 32 over 2,000 keys, the best"
          + " pass over them in several interleaved runs; and the bytes of a key.",
      "The floors are scripts that make the same server commands with constant arguments and answer six integers."
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
      description =
          "runs per case, in turn; the best of each case counts (default ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--calls",
      paramLabel = "N",
      defaultValue = "20000",
      description = "calls per run (default ${DEFAULT-VALUE}).")
  private int calls;

  @Option(names = "--source", description = "measure the readable form, not the one that ships.")
  private boolean readable;

  @Override
  public void run() {
    require("--rounds", rounds, 1_000);
    require("--calls", calls, 10_000_000);
    PrintWriter out = spec.commandLine().getOut();
    CleanStop.around(() -> run(out));
  }

  private void run(PrintWriter out) {
    try (Server server = Server.open(options)) {
      out.println("Server: " + server.title());
      server.run(client -> print(out, client));
    }
  }

  private void print(PrintWriter out, RedisClient client) {
    try (CostMeter meter = CostMeter.onShortKeys(client, KEYS)) {
      out.printf(
          Locale.ROOT,
          "%,d calls a run, %,d keys, the best %d calls of %d interleaved runs; %s form%n%n",
          calls,
          KEYS,
          CostMeter.AT_ONCE,
          rounds,
          readable ? "readable" : "shipped");
      times(meter).lines().forEach(out::println);
      out.println();
      memory(meter).lines().forEach(out::println);
    }
  }

  private Table times(CostMeter meter) {
    Map<CostCase, Double> best = measure(meter);
    double allowed = best.get(CostCase.floorAllowed());
    double denied = best.get(CostCase.floorDenied());
    Table table = new Table(2).row("script", "call", "µs per call", "of the floor");
    best.forEach(
        (what, micros) ->
            table.row(
                what.name(),
                what.what(),
                String.format(Locale.ROOT, "%.2f", micros),
                String.format(Locale.ROOT, "%.2f", micros / (what.allowed() ? allowed : denied))));
    return table;
  }

  private Map<CostCase, Double> measure(CostMeter meter) {
    List<CostCase> cases = new ArrayList<>();
    cases.add(CostCase.floorAllowed());
    cases.add(CostCase.floorDenied());
    for (LuaScript script : LuaScript.values()) {
      cases.addAll(CostCase.of(script, source(script)));
    }
    Map<CostCase, Double> best = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      cases.forEach(what -> best.merge(what, meter.measure(what, calls), Math::min));
    }
    return best;
  }

  private Table memory(CostMeter meter) {
    Table table =
        new Table(2)
            .row("script", "state of", "bytes per key (" + meter.bytesOfName() + " its name)");
    for (LuaScript script : LuaScript.values()) {
      CostCase.of(script, source(script)).stream()
          .filter(CostCase::allowed)
          .forEach(
              what ->
                  table.row(
                      what.name(),
                      what.what().replace(", allowed", "").replace("allowed", "one tier"),
                      Long.toString(meter.bytesPerKey(what))));
    }
    return table;
  }

  private String source(LuaScript script) {
    return readable ? script.readableSource() : script.source();
  }

  private void require(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new ParameterException(
          spec.commandLine(),
          option + " must be from 1 to " + String.format(Locale.ROOT, "%,d", most));
    }
  }
}
