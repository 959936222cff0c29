package io.github.penstock.compat.dropin;

import io.github.penstock.scripts.DropInScript;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Arguments of calls in a row, all of them right. Not safe for use by several threads. */
final class RandomArguments {
  private final DropInScript script;
  private final Random random;
  private final boolean isSteppingBack;
  private final boolean isChanging;
  private BigDecimal now = new BigDecimal("1700000000");
  private List<String> numbers;

  /**
   * Arguments for a script.
   *
   * @param isSteppingBack whether the time steps back now and then
   * @param isChanging whether the limit changes now and then
   */
  RandomArguments(DropInScript script, Random random, boolean isSteppingBack, boolean isChanging) {
    this.script = script;
    this.random = random;
    this.isSteppingBack = isSteppingBack;
    this.isChanging = isChanging;
    this.numbers = numbers();
  }

  /** The arguments of the next call. */
  List<String> next() {
    if (isChanging && random.nextInt(8) == 0) {
      numbers = numbers();
    }
    passTime();
    List<String> arguments = new ArrayList<>(numbers);
    String time = now.toPlainString();
    switch (script) {
      case PRORATE_LEAKY_BUCKET -> {
        arguments.add(1, cost());
        arguments.add(time);
      }
      case REDIS_BUCKET -> {
        arguments.add(0, cost());
        arguments.add(time);
      }
      case RATE_BURST, RATE_BURST_BOOLEAN -> arguments.addAll(List.of(time, cost()));
      case TOKEN_BATCHES -> arguments.add(time);
      case COUNTER -> {}
    }
    return arguments;
  }

  private void passTime() {
    int kind = random.nextInt(10);
    if (kind < 2) {
      return;
    }
    BigDecimal seconds = BigDecimal.valueOf(random.nextInt(kind == 9 ? 2_000 : 6));
    if (script != DropInScript.TOKEN_BATCHES && kind < 8) {
      seconds = seconds.add(BigDecimal.valueOf(random.nextInt(1_000_000), 6));
    }
    now = isSteppingBack && random.nextInt(6) == 0 ? now.subtract(seconds) : now.add(seconds);
  }

  /** A cost, now and then 0, a fraction, or too much. */
  private String cost() {
    return switch (random.nextInt(5)) {
      case 0 -> "0";
      case 1 -> BigDecimal.valueOf(random.nextInt(300), 2).toPlainString();
      case 2 -> Integer.toString(random.nextInt(40));
      default -> Integer.toString(1 + random.nextInt(3));
    };
  }

  /** The numbers of a limit; its keys live for at least 20 s. */
  private List<String> numbers() {
    String capacity = BigDecimal.valueOf(1_000 + random.nextInt(3_000), 2).toPlainString();
    String rate = BigDecimal.valueOf(1 + random.nextInt(50), 2).toPlainString();
    return switch (script) {
      case PRORATE_LEAKY_BUCKET, RATE_BURST, RATE_BURST_BOOLEAN -> List.of(rate, capacity);
      case REDIS_BUCKET -> buckets(rate, capacity);
      case TOKEN_BATCHES ->
          List.of(number(1, 12), number(1, 5), Integer.toString(20 + random.nextInt(30)));
      case COUNTER -> List.of(number(1, 12), number(100, 900));
    };
  }

  private List<String> buckets(String rate, String capacity) {
    List<String> buckets = new ArrayList<>(List.of(rate, capacity));
    for (int more = random.nextInt(3); more > 0; more--) {
      buckets.addAll(List.of("0." + number(10, 89), number(15, 40)));
    }
    return buckets;
  }

  private String number(int least, int more) {
    return Integer.toString(least + random.nextInt(more));
  }
}
