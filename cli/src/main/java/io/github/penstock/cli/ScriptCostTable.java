package io.github.penstock.cli;

import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.result.ScriptCost;
import io.github.penstock.benchmarks.server.ScriptCostMeter;
import io.github.penstock.report.console.LineWrap;
import io.github.penstock.report.console.TextTable;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.scripts.LuaScript;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.RedisClient;

/** Briefly measures what a decision costs on the server. */
final class ScriptCostTable {
  private static final int KEYS = 200;
  private static final int TURNS = 10;
  private static final int ROUNDS = 5;

  private ScriptCostTable() {}

  /** Each script and its costs, line by line. */
  static List<String> lines(RedisClient client, String prefix) {
    List<ScriptCase> calls = new ArrayList<>();
    for (PenstockAlgorithm algorithm : PenstockAlgorithm.all()) {
      calls.add(call(algorithm, true));
      calls.add(call(algorithm, false));
    }
    TextTable table =
        new TextTable(2).row("script", "SHA1", "source", "shipped", "allowed", "denied", "key");
    try (ScriptCostMeter meter = new ScriptCostMeter(client, prefix)) {
      List<ScriptCost> costs = meter.measure(calls, KEYS, ROUNDS, TURNS);
      for (PenstockAlgorithm algorithm : PenstockAlgorithm.all()) {
        LuaScript script = algorithm.script();
        ScriptCase allowed = call(algorithm, true);
        table.row(
            script.scriptName(),
            script.sha1(),
            NumberText.count(script.readableSource().length()),
            NumberText.count(script.source().length()),
            NumberText.tenths(micros(costs, allowed)) + " µs",
            NumberText.tenths(micros(costs, call(algorithm, false))) + " µs",
            NumberText.count(meter.bytesPerKey(allowed)));
      }
      List<String> lines = new ArrayList<>(table.lines());
      lines.add("");
      lines.addAll(
          LineWrap.lines(
              "source, shipped: bytes of the script as it is read and as it is sent. allowed,"
                  + " denied: the server's own count of time per decision. key: bytes by MEMORY"
                  + " USAGE of one key, "
                  + meter.bytesOfName()
                  + " of them its name, without the server's tables, which ./penstock plan counts,"
                  + " too. More: ./penstock script-cost"));
      return lines;
    }
  }

  private static ScriptCase call(PenstockAlgorithm algorithm, boolean allowed) {
    return ScriptCase.of(algorithm, ScriptCase.Form.SHIPPED, 1, allowed);
  }

  private static double micros(List<ScriptCost> costs, ScriptCase call) {
    return costs.stream()
        .filter(cost -> cost.call().equals(call))
        .findFirst()
        .orElseThrow()
        .micros();
  }
}
