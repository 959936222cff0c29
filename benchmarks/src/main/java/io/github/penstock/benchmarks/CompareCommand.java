package io.github.penstock.benchmarks;

import io.github.penstock.scripts.LuaScript;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import redis.clients.jedis.RedisClient;

/** What each algorithm lets through of the built-in traffics, and what each decision costs. */
@Command(
    name = "compare",
    header = "What each algorithm lets through of the same traffic, second by second.",
    description = {
      "Plays two built-in traffics against a limit of 1000 per 3 seconds, through the shipped scripts on a real"
          + " server. The scripts are told the time, so that nothing waits.",
      "Without options an embedded Redis is started for it."
    },
    mixinStandardHelpOptions = true)
final class CompareCommand implements Runnable {
  private static final int COST_KEYS = 200;
  private static final int COST_CALLS = 2_000;
  private static final int COST_ROUNDS = 5;
  @Spec private CommandSpec spec;
  @Mixin private final ServerOptions options = new ServerOptions();

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    CleanStop.around(() -> run(out));
  }

  private void run(PrintWriter out) {
    try (Server server = Server.open(options)) {
      out.println("A limit of 1000 per 3 seconds, on " + server.title());
      server.run(client -> compare(client, out));
    }
  }

  private static void compare(RedisClient client, PrintWriter out) {
    try (OwnKeys keys = new OwnKeys(client)) {
      for (Scenario scenario : Scenario.values()) {
        print(out, scenario.title(), playAll(scenario, client, keys.prefix()));
      }
      costs(client, keys.prefix(), out);
    }
  }

  private static List<String> playAll(Scenario scenario, RedisClient client, String prefix) {
    Map<LuaScript, Passage> passages = new EnumMap<>(LuaScript.class);
    try (Player player = new Player(client, prefix)) {
      for (LuaScript script : LuaScript.values()) {
        passages.put(script, player.play(scenario, script));
      }
    }
    return CompareReport.traffic(scenario, passages, Player.WINDOW_US);
  }

  private static void costs(RedisClient client, String prefix, PrintWriter out) {
    Map<LuaScript, CompareReport.Cost> costs = new EnumMap<>(LuaScript.class);
    try (CostMeter meter = CostMeter.under(prefix, client, COST_KEYS)) {
      for (LuaScript script : LuaScript.values()) {
        costs.put(script, cost(meter, script));
      }
      print(out, "The scripts", CompareReport.scripts(costs, meter.bytesOfName()));
    }
  }

  private static CompareReport.Cost cost(CostMeter meter, LuaScript script) {
    CostCase allowed = CostCase.allowed(script, script.source());
    CostCase denied = CostCase.denied(script, script.source());
    return new CompareReport.Cost(
        meter.best(allowed, COST_CALLS, COST_ROUNDS),
        meter.best(denied, COST_CALLS, COST_ROUNDS),
        meter.bytesPerKey(allowed));
  }

  private static void print(PrintWriter out, String title, List<String> lines) {
    out.println();
    out.println(title);
    out.println();
    lines.forEach(out::println);
  }
}
