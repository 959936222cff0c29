package io.github.penstock.core.limit;

import java.time.Duration;

/**
 * One tier of a limit, in the same numbers for every algorithm. Immutable.
 *
 * <p>{@code TokenBucket.of(20).refill(100, Duration.ofMinutes(1))} allows 20 units at once and 100
 * a minute in the long run: capacity 20, units 100, period 1 minute.
 *
 * @param capacity units that the tier holds, 1 to 10^12; for a window as many as {@code units}
 * @param units units that come back in every period, 1 to 10^12
 * @param period the window, or the bucket's period or interval, 1 microsecond to 366 days, whole
 *     microseconds
 */
public record LimitTier(long capacity, long units, Duration period) {
  /**
   * @throws IllegalArgumentException if a number is out of bounds; the message names it
   */
  public LimitTier {
    LimitBounds.units("capacity", capacity);
    LimitBounds.units("units", units);
    LimitBounds.period("period", period);
  }

  /** The period in microseconds. */
  public long periodMicros() {
    return PeriodUnit.MICROSECOND.in(period);
  }

  /** The tier as {@link Limits#parse} reads it, such as {@code 100/1m,burst=20}. */
  @Override
  public String toString() {
    String rate = units + "/" + PeriodUnit.text(period);
    return capacity == units ? rate : rate + ",burst=" + capacity;
  }
}
