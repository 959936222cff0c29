package io.github.penstock.core.limit;

import java.time.Duration;

/**
 * A bucket that starts empty and leaks evenly. A call adds its cost to the bucket and proceeds when
 * all earlier units have leaked.
 *
 * <p>A leaky bucket spreads a burst over time. If calls with a total cost of up to {@code capacity}
 * arrive at once, {@link io.github.penstock.core.Decision#delay()} returns how long each call must
 * wait for its turn. {@code LeakyBucket.of(100).leak(10, Duration.ofSeconds(1))} admits 100 units
 * at once. The first unit proceeds immediately, the second after 100 ms, and the last after 9.9 s.
 * nginx's {@code limit_req} is also a leaky bucket. Its {@code burst=N} corresponds to a capacity
 * of N + 1. The algorithm is the generic cell rate algorithm (ITU-T I.371), computed in exact
 * integers. A leaky bucket admits the same calls as a {@link TokenBucket} with the same numbers,
 * and both use the same stored state.
 */
public final class LeakyBucket {
  private final long capacity;

  private LeakyBucket(long capacity) {
    LimitBounds.units("capacity", capacity);
    this.capacity = capacity;
  }

  /**
   * Starts the definition of a bucket that holds {@code capacity} units. {@link #leak} completes
   * the definition.
   *
   * @param capacity the maximum number of units in the bucket, 1 to 10^12
   * @throws IllegalArgumentException if the capacity is out of bounds
   */
  public static LeakyBucket of(long capacity) {
    return new LeakyBucket(capacity);
  }

  /**
   * Returns the limit of a bucket that leaks {@code leakUnits} evenly over every {@code
   * leakPeriod}. A full bucket must drain within 100 years. After the units and the period in
   * microseconds are divided by their greatest common divisor, the product of {@code capacity} and
   * the period must be below 2^53.
   *
   * @param leakUnits the number of units that leak evenly over each period, 1 to 10^12
   * @param leakPeriod the period, 1 microsecond to 366 days, in whole microseconds
   * @throws IllegalArgumentException if an argument is out of bounds; the message names the
   *     argument
   */
  public Limit leak(long leakUnits, Duration leakPeriod) {
    return LimitBounds.one(
        LimitKind.LEAKY_BUCKET, capacity, "leakUnits", leakUnits, "leakPeriod", leakPeriod);
  }
}
