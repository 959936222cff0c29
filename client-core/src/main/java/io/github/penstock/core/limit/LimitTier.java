package io.github.penstock.core.limit;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One tier of a limit. Every kind of limit uses the same three numbers to describe a tier. A tier
 * is immutable and has value equality.
 *
 * <p>{@code TokenBucket.of(20).refill(100, Duration.ofMinutes(1))} allows 20 units at once and 100
 * units per minute in the long run. Its capacity is 20, its units are 100, and its period is 1
 * minute.
 */
public final class LimitTier {
  private final long capacity;
  private final long units;
  private final Duration period;

  private LimitTier(long capacity, long units, Duration period) {
    LimitBounds.units("capacity", capacity);
    LimitBounds.units("units", units);
    LimitBounds.period("period", period);
    this.capacity = capacity;
    this.units = units;
    this.period = period;
  }

  /**
   * Returns a tier with these numbers.
   *
   * @param capacity the maximum number of units of the tier, 1 to 10^12; for a window, it must
   *     equal {@code units}
   * @param units the number of units that refill in each period, 1 to 10^12
   * @param period the length of the window, or the bucket's period or interval, 1 microsecond to
   *     366 days, in whole microseconds
   * @throws IllegalArgumentException if an argument is out of bounds; the message names the
   *     argument
   */
  public static LimitTier of(long capacity, long units, Duration period) {
    return new LimitTier(capacity, units, period);
  }

  /** Returns the maximum number of units of the tier. */
  public long capacity() {
    return capacity;
  }

  /** Returns the number of units that refill in each period. */
  public long units() {
    return units;
  }

  /** Returns the length of the window, or the bucket's period or interval. */
  public Duration period() {
    return period;
  }

  /** Returns the period in microseconds. */
  public long periodMicros() {
    return PeriodUnit.MICROSECOND.in(period);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LimitTier tier
        && capacity == tier.capacity
        && units == tier.units
        && period.equals(tier.period);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Long.hashCode(capacity) + Long.hashCode(units)) + period.hashCode();
  }

  /** Returns the tier in the syntax of {@link Limits#parse}, such as {@code 100/1m,burst=20}. */
  @Override
  public String toString() {
    String rate = units + "/" + PeriodUnit.text(period);
    return capacity == units ? rate : rate + ",burst=" + capacity;
  }
}
