package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.CostCase;
import io.github.penstock.benchmarks.CostMeter;
import io.github.penstock.scripts.LuaScript;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.RedisClient;

/** Measures shortly what a decision costs on the server. */
final class ScriptCosts {
  private static final int KEYS = 200;
  private static final int CALLS = 2_000;
  private static final int ROUNDS = 5;

  private ScriptCosts() {}

  /** The lines that tell it. */
  static List<String> lines(RedisClient client, String prefix) {
    Map<LuaScript, CompareText.Cost> costs = new EnumMap<>(LuaScript.class);
    try (CostMeter meter = CostMeter.under(prefix, client, KEYS)) {
      for (LuaScript script : LuaScript.values()) {
        costs.put(script, cost(meter, script));
      }
      return CompareText.scripts(costs, meter.bytesOfName());
    }
  }

  private static CompareText.Cost cost(CostMeter meter, LuaScript script) {
    CostCase allowed = CostCase.allowed(script, script.source());
    CostCase denied = CostCase.denied(script, script.source());
    return new CompareText.Cost(
        meter.best(allowed, CALLS, ROUNDS),
        meter.best(denied, CALLS, ROUNDS),
        meter.bytesPerKey(allowed));
  }
}
