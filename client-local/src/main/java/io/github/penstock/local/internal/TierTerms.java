package io.github.penstock.local.internal;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.core.limit.RefillForm;
import java.math.BigInteger;

/**
 * The numbers of one tier in the form used for computing: for a bucket that drains evenly, {@code
 * units} in {@code periodUs} are divided by their greatest common divisor whenever the script does
 * so. Immutable.
 */
public final class TierTerms {
  private static final long EXACT_END = 1L << 53;

  /** The capacity of the tier, in units. */
  final long limit;

  /** The units that refill in each period. */
  final long units;

  /** The window, period or interval, in microseconds. */
  final long periodUs;

  /** A full bucket in parts of a unit, {@code periodUs} to a unit; below 2^53. */
  final long fullParts;

  /** The time that a full bucket takes to drain, rounded up. */
  final long fullUs;

  /** Whether admitted calls wait for their turn. */
  final boolean queues;

  private TierTerms(LimitKind kind, LimitTier tier, long divisor) {
    limit = tier.capacity();
    units = tier.units() / divisor;
    periodUs = tier.periodMicros() / divisor;
    fullParts = limit * periodUs;
    fullUs = roundedUp(fullParts, units);
    queues = kind.queues();
  }

  /** The terms of all tiers. */
  public static TierTerms[] of(Limit limit) {
    return limit.tiers().stream()
        .map(tier -> new TierTerms(limit.kind(), tier, divisor(limit.kind(), tier)))
        .toArray(TierTerms[]::new);
  }

  /*
   * 1 if the product is exact without reduction, as in the script: the stored remainder depends on
   * it.
   */
  private static long divisor(LimitKind kind, LimitTier tier) {
    long capacity = tier.capacity();
    long periodUs = tier.periodMicros();
    boolean asGiven =
        Math.multiplyHigh(capacity, periodUs) == 0
            && capacity * periodUs >= 0
            && capacity * periodUs < EXACT_END;
    return asGiven || kind.refill() != RefillForm.EVENLY
        ? 1
        : BigInteger.valueOf(tier.units()).gcd(BigInteger.valueOf(periodUs)).longValueExact();
  }

  /** The quotient rounded up, of a number that is not negative. */
  static long roundedUp(long number, long divisor) {
    long quotient = number / divisor;
    return quotient * divisor == number ? quotient : quotient + 1;
  }

  /** The product divided and rounded down, for any size; the result must fit. */
  static long quotient(long factor, long other, long divisor) {
    return Math.multiplyHigh(factor, other) == 0 && factor * other >= 0
        ? factor * other / divisor
        : BigInteger.valueOf(factor)
            .multiply(BigInteger.valueOf(other))
            .divide(BigInteger.valueOf(divisor))
            .longValueExact();
  }
}
