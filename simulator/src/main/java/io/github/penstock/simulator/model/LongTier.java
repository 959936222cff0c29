package io.github.penstock.simulator.model;

import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.limit.LimitTier;
import java.math.BigInteger;

/** A tier at the time at which it was last read. Not safe for use by several threads. */
abstract sealed class LongTier permits LongBucket, LongWindow, LongSliding, LongInterval {
  /** How many numbers of a state are a tier's. */
  static final int NUMBERS = 3;

  /** The most units. */
  final long limit;

  LongTier(long limit) {
    this.limit = limit;
  }

  static LongTier of(LimitKind kind, LimitTier tier) {
    long units = tier.units();
    long periodUs = tier.periodMicros();
    return switch (kind.refill()) {
      case AT_END -> new LongWindow(units, periodUs);
      case FADING -> new LongSliding(units, periodUs);
      case IN_BATCHES -> new LongInterval(tier.capacity(), units, periodUs);
      case EVENLY -> LongBucket.of(tier.capacity(), units, periodUs, kind.queues());
    };
  }

  final long limit() {
    return limit;
  }

  /** 0 if so many units fit now, else when, in µs; {@link Long#MAX_VALUE} for never. */
  final long fitsInUs(long units) {
    return units > limit ? Long.MAX_VALUE : roomInUs(units);
  }

  abstract void read(long[] state, int at, long nowUs);

  abstract void write(long[] state, int at);

  /** The same of units that are not more than the limit. */
  abstract long roomInUs(long units);

  abstract void charge(long units);

  abstract long remaining();

  /** The time until nothing is used. */
  abstract long resetUs();

  /** The time until what is used now has drained, of a tier that queues. */
  long backlogUs() {
    return 0;
  }

  /** The product divided and rounded down, whatever its size; the result must fit. */
  static long quotient(long factor, long other, long divisor) {
    return Math.multiplyHigh(factor, other) == 0 && factor * other >= 0
        ? factor * other / divisor
        : BigInteger.valueOf(factor)
            .multiply(BigInteger.valueOf(other))
            .divide(BigInteger.valueOf(divisor))
            .longValueExact();
  }

  /** The quotient rounded up, of numbers that are not negative. */
  static long roundedUp(long number, long divisor) {
    return (number + divisor - 1) / divisor;
  }
}
