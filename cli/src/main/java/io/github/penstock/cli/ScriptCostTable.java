package io.github.penstock.cli;

import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.result.ScriptCost;
import io.github.penstock.benchmarks.server.ScriptCostMeter;
import io.github.penstock.report.console.LineWrap;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.RedisClient;

/** Briefly measures what a decision costs on the server. */
final class ScriptCostTable {
  private static final int KEYS = 200;
  private static final int ITERATIONS = 10;
  private static final int ROUNDS = 5;

  private ScriptCostTable() {}

  /** Each script and its costs, line by line. */
  static List<String> lines(RedisClient client, String prefix) {
    List<ScriptCase> calls = new ArrayList<>();
    for (PenstockAlgorithm algorithm : PenstockAlgorithm.all()) {
      calls.add(call(algorithm, true));
      calls.add(call(algorithm, false));
    }
    try (ScriptCostMeter meter = new ScriptCostMeter(client, prefix)) {
      List<ScriptCost> costs = meter.measure(calls, KEYS, ROUNDS, ITERATIONS);
      List<String> lines =
          new ArrayList<>(
              new ResultTable<PenstockAlgorithm>("The scripts", PenstockAlgorithm.all())
                  .words("script", each -> each.script().scriptName())
                  .words("SHA1", each -> each.script().sha1())
                  .figure(
                      "source", FigureKind.COUNT, each -> each.script().readableSource().length())
                  .figure("shipped", FigureKind.COUNT, each -> each.script().source().length())
                  .figure("allowed", FigureKind.WRITTEN, each -> micros(costs, call(each, true)))
                  .figure("denied", FigureKind.WRITTEN, each -> micros(costs, call(each, false)))
                  .figure("key", FigureKind.COUNT, each -> meter.bytesPerKey(call(each, true)))
                  .lines());
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

  private static String micros(List<ScriptCost> costs, ScriptCase call) {
    double micros =
        costs.stream().filter(cost -> cost.call().equals(call)).findFirst().orElseThrow().micros();
    return NumberText.tenths(micros) + " µs";
  }
}
