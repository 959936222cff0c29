package io.github.penstock.compat.model;

import java.util.Arrays;
import java.util.List;

/** The scripts of protocol 1: the name, and what the numbers of one tier are called. */
public enum Algorithm {
  /** At most a limit of units in a window that opens with a charge. */
  FIXED_WINDOW("fixed-window", "limit", "window_us"),
  /** A bucket that refills evenly. */
  TOKEN_BUCKET("token-bucket", "capacity", "refill_tokens", "refill_period_us"),
  /** A bucket that leaks evenly, and whose calls wait for their turn. */
  LEAKY_BUCKET("leaky-bucket", "capacity", "leak_units", "leak_period_us");

  private final String scriptName;
  private final List<String> tierArguments;

  Algorithm(String scriptName, String... tierArguments) {
    this.scriptName = scriptName;
    this.tierArguments = List.of(tierArguments);
  }

  /** The name of the script, such as {@code token-bucket}. */
  public String scriptName() {
    return scriptName;
  }

  /** The names of the numbers of one tier, in their order. */
  public List<String> tierArguments() {
    return tierArguments;
  }

  /** The algorithm of a script; an IllegalArgumentException if there is no such script. */
  public static Algorithm named(String scriptName) {
    return Arrays.stream(values())
        .filter(algorithm -> algorithm.scriptName.equals(scriptName))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("script must exist, not " + scriptName));
  }

  Tier tier(long[] numbers) throws BadArgument {
    return switch (this) {
      case FIXED_WINDOW -> new Window(numbers[0], numbers[1]);
      case TOKEN_BUCKET -> Bucket.of(numbers[0], numbers[1], numbers[2], false);
      case LEAKY_BUCKET -> Bucket.of(numbers[0], numbers[1], numbers[2], true);
    };
  }

  /** The greatest value of the numbers of a tier, each of which is at least 1. */
  static long greatest(String argument) {
    return argument.endsWith("_us") ? Bounds.LONGEST_US : Bounds.MOST_UNITS;
  }
}
