package io.github.penstock.core.limit;

import java.time.Duration;
import java.util.List;

/**
 * A bucket that starts empty and leaks evenly; a call adds as many units as it costs and goes ahead
 * when what was in the bucket before it has leaked.
 *
 * <p>Spreads a burst: when up to {@code capacity} units come at once, {@link
 * io.github.penstock.core.Decision#delay()} says for each how long to wait for its turn. {@code
 * LeakyBucket.of(100).leak(10, Duration.ofSeconds(1))} admits 100 units at once, the first to go
 * ahead now, the second in 100 ms, the last in 9.9 s. nginx's {@code limit_req} is such a bucket;
 * its {@code burst=N} is a capacity of N + 1. The algorithm is the generic cell rate algorithm
 * (ITU-T I.371) in exact integers. It admits the same calls as a {@link TokenBucket} of the same
 * numbers and shares its state.
 *
 * @param tiers 1 to 16 buckets, all of which must admit a call
 */
public record LeakyBucket(List<LimitTier> tiers) implements Limit {
  /**
   * @throws IllegalArgumentException if there are no tiers or more than 16, or if one is out of the
   *     bounds of {@link Capacity#leak}
   */
  public LeakyBucket {
    tiers = LimitBounds.tiers(tiers, LimitBounds::bucket);
  }

  /**
   * A bucket whose leak is still missing.
   *
   * @param capacity units that the bucket holds, 1 to 10^12
   */
  public record Capacity(long capacity) {
    /**
     * @throws IllegalArgumentException if the capacity is out of bounds
     */
    public Capacity {
      LimitBounds.units("capacity", capacity);
    }

    /**
     * The bucket that loses {@code leakUnits} evenly over every {@code leakPeriod}. Full, it must
     * drain within 100 years, and {@code capacity} times the period in microseconds, after units
     * and period are reduced by their greatest common divisor, must be below 2^53.
     *
     * @param leakUnits units that it loses per period, evenly, 1 to 10^12
     * @param leakPeriod 1 microsecond to 366 days, whole microseconds
     * @throws IllegalArgumentException if a number is out of bounds; the message names it
     */
    public LeakyBucket leak(long leakUnits, Duration leakPeriod) {
      return new LeakyBucket(
          List.of(LimitBounds.tier(capacity, "leakUnits", leakUnits, "leakPeriod", leakPeriod)));
    }
  }

  /**
   * Begins a bucket that holds {@code capacity} units; {@link Capacity#leak} completes it.
   *
   * @throws IllegalArgumentException if the capacity is out of bounds
   */
  public static Capacity of(long capacity) {
    return new Capacity(capacity);
  }

  /**
   * Combines this limit with another one: a call needs room in both.
   *
   * @throws IllegalArgumentException if that makes more than 16 tiers
   */
  public LeakyBucket and(LeakyBucket other) {
    return new LeakyBucket(LimitBounds.joined(tiers, other.tiers));
  }

  @Override
  public String algorithm() {
    return "leaky-bucket";
  }

  /** The limit as text, such as {@code leaky-bucket:10/1s,burst=100}. */
  @Override
  public String toString() {
    return LimitBounds.text(this);
  }
}
