package io.github.penstock.compat.reservation;

import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** One limit of a random history: a key, and the arguments of an entry on it. */
record HistoryLimits(String key, String mode, String script, List<String> numbers) {
  private static final String CONCURRENCY = "concurrency";
  private static final List<String> CHARGED =
      Stream.of(LuaScript.values()).map(LuaScript::scriptName).toList();
  private static final List<String> HELD =
      Stream.concat(
              Stream.of(LuaScript.values())
                  .filter(script -> script.use().holds())
                  .map(LuaScript::scriptName),
              Stream.of(CONCURRENCY))
          .toList();
  private static final long[] LENGTHS_US = {1, 7, 1000, 300_000, 5_000_000, 60_000_000};

  /** A random one that entries charge, or that they hold. */
  static HistoryLimits random(Random random, String key, boolean charged) {
    List<String> scripts = charged ? CHARGED : HELD;
    String script = scripts.get(random.nextInt(scripts.size()));
    List<String> numbers = new ArrayList<>();
    int tiers = random.nextInt(4) == 0 ? 2 + random.nextInt(2) : 1;
    for (int i = 0; i < (script.equals(CONCURRENCY) ? 1 : tiers); i++) {
      numbers.addAll(tier(random, script));
    }
    return new HistoryLimits(key, charged ? "charge" : "reserve", script, numbers);
  }

  private static List<String> tier(Random random, String script) {
    boolean great = random.nextInt(12) == 0;
    long limit = great ? 900_000_000_000L - random.nextInt(50) : 1 + random.nextInt(30);
    String length = "" + LENGTHS_US[random.nextInt(LENGTHS_US.length)];
    int width = width(script);
    if (width == 1) {
      return List.of("" + limit);
    }
    if (width == 2) {
      return List.of("" + limit, length);
    }
    return great
        ? List.of("" + limit, "" + (1_000_000 + random.nextInt(1000)), "7")
        : List.of("" + limit, "" + (1 + random.nextInt(9)), length);
  }

  List<String> entry(String usedMode, long cost) {
    List<String> arguments =
        new ArrayList<>(
            List.of(usedMode, script, Long.toString(cost), "" + numbers.size() / width(script)));
    arguments.addAll(numbers);
    return arguments;
  }

  private static int width(String script) {
    return script.equals(CONCURRENCY) ? 1 : ScriptAlgorithm.named(script).tierArguments().size();
  }

  boolean isHeld() {
    return mode.equals("reserve");
  }

  boolean canDebit() {
    return isHeld() && !script.equals(CONCURRENCY);
  }

  long limit() {
    return Long.parseLong(numbers.get(0));
  }
}
