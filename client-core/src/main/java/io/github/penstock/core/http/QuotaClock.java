package io.github.penstock.core.http;

import io.github.penstock.core.Decision;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.core.limit.RefillForm;
import java.math.BigInteger;

/** Computes from a decision when its tier will have more units than now. */
final class QuotaClock {
  /*
   * A decision contains the time until its tier is back at full capacity (reset) and, for a denial,
   * the time until the call fits (wait). In a bucket the missing units refill at known intervals,
   * so the time of the next unit follows from the reset and the number of missing units; a token
   * bucket's fraction of a microsecond is rounded up. For a sliding window, the result is an upper
   * bound, because a decision does not contain the number of units in the older window. If that
   * number is zero, the bound is exact; otherwise units are available earlier.
   */

  private QuotaClock() {}

  /**
   * Returns the microseconds until the tier that decided has more than {@code remaining} units; 0
   * if all are available. The result is never later than the wait of a denial. It is exact for a
   * fixed window and an interval bucket, at most 1 us late for the other buckets, and an upper
   * bound for a sliding window.
   */
  static long untilMore(RefillForm refill, LimitTier tier, Decision decision) {
    long missing = tier.capacity() - decision.remaining();
    if (missing < 1 || decision.resetMicros() == 0) {
      return 0;
    }
    long reset = decision.resetMicros();
    long more =
        switch (refill) {
          case AT_END -> reset;
          case FADING -> sliding(tier, decision, missing);
          case IN_BATCHES -> reset - (missing - 1) / tier.units() * tier.periodMicros();
          case EVENLY -> reset - even(tier, missing - 1);
        };
    boolean waits = !decision.allowed() && !decision.impossible();
    return Math.max(1, waits ? Math.min(more, decision.waitMicros()) : more);
  }

  /*
   * If the limit was lowered, the usage may exceed it; {@code remaining} then contains no
   * information.
   */
  private static long sliding(LimitTier tier, Decision decision, long missing) {
    long reset = decision.resetMicros();
    long fading = reset - tier.periodMicros();
    if (fading <= 0 || (!decision.allowed() && decision.remaining() == 0)) {
      return reset;
    }
    return fading + (tier.periodMicros() - 1) / missing + 1;
  }

  /*
   * Returns the time in which a bucket refills this number of units, rounded down; the product can
   * exceed a long.
   */
  private static long even(LimitTier tier, long units) {
    return BigInteger.valueOf(units)
        .multiply(BigInteger.valueOf(tier.periodMicros()))
        .divide(BigInteger.valueOf(tier.units()))
        .longValueExact();
  }

  /**
   * Returns the number of seconds in which a tier refills completely, or 0 if it is not a whole
   * number, because HTTP has no fractions of seconds. The capacity divided by this time is the
   * tier's sustained rate.
   */
  static long windowSeconds(RefillForm refill, LimitTier tier) {
    long units =
        refill == RefillForm.IN_BATCHES ? Math.min(tier.units(), tier.capacity()) : tier.units();
    BigInteger[] seconds =
        BigInteger.valueOf(tier.capacity())
            .multiply(BigInteger.valueOf(tier.periodMicros()))
            .divideAndRemainder(BigInteger.valueOf(units).multiply(BigInteger.valueOf(1_000_000)));
    return seconds[1].signum() == 0 ? seconds[0].longValueExact() : 0;
  }
}
