package io.github.penstock.core.limit;

import java.time.Duration;

/**
 * A bucket that starts empty and leaks evenly; a call adds its cost and proceeds once the content
 * before it has leaked.
 *
 * <p>It spreads a burst: when up to {@code capacity} units arrive at once, {@link
 * io.github.penstock.core.Decision#delay()} is how long each must wait for its turn. {@code
 * LeakyBucket.of(100).leak(10, Duration.ofSeconds(1))} admits 100 units at once: the first proceeds
 * now, the second in 100 ms, the last in 9.9 s. nginx's {@code limit_req} is such a bucket; its
 * {@code burst=N} is a capacity of N + 1. The algorithm is the generic cell rate algorithm (ITU-T
 * I.371) in exact integers. It admits the same calls as a {@link TokenBucket} with the same
 * numbers, and shares its state.
 */
public final class LeakyBucket {
  private final long capacity;

  private LeakyBucket(long capacity) {
    LimitBounds.units("capacity", capacity);
    this.capacity = capacity;
  }

  /**
   * Starts the definition of a bucket that holds {@code capacity} units; {@link #leak} completes
   * it.
   *
   * @param capacity the maximum number of units in the bucket, 1 to 10^12
   * @throws IllegalArgumentException if the capacity is out of bounds
   */
  public static LeakyBucket of(long capacity) {
    return new LeakyBucket(capacity);
  }

  /**
   * Returns the bucket that leaks {@code leakUnits} evenly over every {@code leakPeriod}. A full
   * bucket must drain within 100 years. The product of {@code capacity} and the period in
   * microseconds must be below 2^53 after units and period have been divided by their greatest
   * common divisor.
   *
   * @param leakUnits the units that leak evenly over each period, 1 to 10^12
   * @param leakPeriod 1 microsecond to 366 days, whole microseconds
   * @throws IllegalArgumentException if a number is out of bounds; the message names it
   */
  public Limit leak(long leakUnits, Duration leakPeriod) {
    return LimitBounds.one(
        LimitKind.LEAKY_BUCKET, capacity, "leakUnits", leakUnits, "leakPeriod", leakPeriod);
  }
}
