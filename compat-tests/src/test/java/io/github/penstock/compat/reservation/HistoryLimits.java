package io.github.penstock.compat.reservation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One limit of a random history: a key, and the arguments of an entry on it. */
record HistoryLimits(String key, String mode, String script, List<String> numbers) {
  private static final List<String> CHARGED =
      List.of("token-bucket", "leaky-bucket", "interval-bucket", "fixed-window", "sliding-window");
  private static final List<String> HELD =
      List.of("token-bucket", "fixed-window", "sliding-window", "concurrency");
  private static final long[] LENGTHS_US = {1, 7, 1000, 300_000, 5_000_000, 60_000_000};

  /** A random one that entries charge, or that they hold. */
  static HistoryLimits random(Random random, String key, boolean charged) {
    List<String> scripts = charged ? CHARGED : HELD;
    String script = scripts.get(random.nextInt(scripts.size()));
    List<String> numbers = new ArrayList<>();
    int tiers = random.nextInt(4) == 0 ? 2 + random.nextInt(2) : 1;
    for (int i = 0; i < (script.equals("concurrency") ? 1 : tiers); i++) {
      numbers.addAll(tier(random, script));
    }
    return new HistoryLimits(key, charged ? "charge" : "reserve", script, numbers);
  }

  private static List<String> tier(Random random, String script) {
    boolean great = random.nextInt(12) == 0;
    long limit = great ? 900_000_000_000L - random.nextInt(50) : 1 + random.nextInt(30);
    String length = "" + LENGTHS_US[random.nextInt(LENGTHS_US.length)];
    if (script.equals("concurrency")) {
      return List.of("" + limit);
    }
    if (script.endsWith("window")) {
      return List.of("" + limit, length);
    }
    return great
        ? List.of("" + limit, "" + (1_000_000 + random.nextInt(1000)), "7")
        : List.of("" + limit, "" + (1 + random.nextInt(9)), length);
  }

  List<String> entry(String usedMode, long cost) {
    boolean places = script.equals("concurrency");
    int width = places ? 1 : script.endsWith("window") ? 2 : 3;
    List<String> arguments =
        new ArrayList<>(
            List.of(usedMode, script, Long.toString(cost), "" + numbers.size() / width));
    arguments.addAll(numbers);
    return arguments;
  }

  boolean isHeld() {
    return mode.equals("reserve");
  }

  boolean canDebit() {
    return isHeld() && !script.equals("concurrency");
  }

  long limit() {
    return Long.parseLong(numbers.get(0));
  }
}
