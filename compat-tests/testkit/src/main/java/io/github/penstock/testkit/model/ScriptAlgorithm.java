package io.github.penstock.testkit.model;

import java.util.Arrays;
import java.util.List;

/** The scripts of protocol 1: the name, and the names of the numbers of one tier. */
public enum ScriptAlgorithm {
  /** At most a limit of units in a window that opens with a charge. */
  FIXED_WINDOW("fixed-window", "limit", "window_us"),
  /** A bucket that refills evenly. */
  TOKEN_BUCKET("token-bucket", "capacity", "refill_tokens", "refill_period_us"),
  /** A bucket that leaks evenly, and whose calls wait for their turn. */
  LEAKY_BUCKET("leaky-bucket", "capacity", "leak_units", "leak_period_us"),
  /** At most a limit of units in a window that slides along with the time, kept as two counts. */
  SLIDING_WINDOW("sliding-window", "limit", "window_us"),
  /** A bucket that refills in whole batches at whole intervals. */
  INTERVAL_BUCKET("interval-bucket", "capacity", "tokens", "interval_us");

  private final String scriptName;
  private final List<String> tierArguments;

  ScriptAlgorithm(String scriptName, String... tierArguments) {
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

  /**
   * The numbers of a tier that holds {@code limit} units, all of which a length of time gives back.
   */
  public List<Long> tier(long limit, long lengthUs) {
    return tierArguments.stream().map(name -> name.endsWith("_us") ? lengthUs : limit).toList();
  }

  /**
   * The longest time in µs until a tier is unused, without further calls.
   *
   * @throws IllegalArgumentException if there can be no such tier
   */
  public long fullUs(List<Long> tier) {
    try {
      return tier(tier.stream().mapToLong(Long::longValue).toArray()).fullUs();
    } catch (BadArgumentException bad) {
      throw new IllegalArgumentException(bad.argument() + " must be smaller: " + tier, bad);
    }
  }

  /** The algorithm of a script; throws an IllegalArgumentException for an unknown script. */
  public static ScriptAlgorithm named(String scriptName) {
    return Arrays.stream(values())
        .filter(algorithm -> algorithm.scriptName.equals(scriptName))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("script must exist, not " + scriptName));
  }

  ModelTier tier(long[] numbers) throws BadArgumentException {
    return switch (this) {
      case FIXED_WINDOW -> new WindowTier(numbers[0], numbers[1]);
      case TOKEN_BUCKET -> BucketTier.of(numbers[0], numbers[1], numbers[2], false);
      case LEAKY_BUCKET -> BucketTier.of(numbers[0], numbers[1], numbers[2], true);
      case SLIDING_WINDOW -> new SlidingTier(numbers[0], numbers[1]);
      case INTERVAL_BUCKET -> IntervalTier.of(numbers[0], numbers[1], numbers[2]);
    };
  }

  /** The greatest value of the numbers of a tier, each of which is at least 1. */
  static long greatest(String argument) {
    return argument.endsWith("_us") ? ProtocolBounds.LONGEST_US : ProtocolBounds.MOST_UNITS;
  }
}
