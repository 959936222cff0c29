package io.github.penstock.core.internal.near;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitTier;

/**
 * The wait for a greater cost that follows from a denial (rules N1 and N4).
 *
 * <p>With one window or bucket a greater cost up to the limit is denied at least as long, and how
 * much longer follows from the numbers. With several tiers another one may hold up the greater
 * cost, and in a sliding window the wait depends on the count of the older one: those calls go to
 * the server.
 */
final class DenialWait {
  /** The denial says nothing about this cost. */
  static final long UNKNOWN = -1;

  private DenialWait() {}

  /**
   * Returns how much longer the wait is, in microseconds, at most one too many.
   *
   * @param denied the cost that was denied, at most the limit
   * @param asked another cost
   * @param remaining the units remaining at the denial
   */
  static long longerMicros(Limit limit, long denied, long asked, long remaining) {
    if (asked == denied) {
      return 0;
    }
    if (asked < denied) {
      return UNKNOWN;
    }
    LimitTier tier = limit.tiers().get(0);
    if (limit.tiers().size() > 1 || asked > tier.capacity()) {
      return UNKNOWN;
    }
    return switch (limit.kind().refill()) {
      case AT_END -> 0;
      case EVENLY -> drained(asked - denied, tier);
      case IN_BATCHES -> {
        long more =
            ceiling(asked - remaining, tier.units()) - ceiling(denied - remaining, tier.units());
        yield more * tier.periodMicros();
      }
      case FADING -> UNKNOWN;
    };
  }

  /* A bucket's capacity times its period is below 2^53 once its two numbers are reduced. */
  private static long drained(long units, LimitTier tier) {
    long common = commonDivisor(tier.units(), tier.periodMicros());
    return ceiling(units * (tier.periodMicros() / common), tier.units() / common);
  }

  private static long commonDivisor(long a, long b) {
    return b == 0 ? a : commonDivisor(b, a % b);
  }

  private static long ceiling(long dividend, long divisor) {
    return dividend / divisor + (dividend % divisor > 0 ? 1 : 0);
  }
}
