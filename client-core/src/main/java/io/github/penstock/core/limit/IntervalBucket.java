package io.github.penstock.core.limit;

import java.time.Duration;
import java.util.List;

/**
 * A bucket of tokens that starts full and refills in whole batches at whole intervals.
 *
 * <p>Intervals are counted from the first charge of the full bucket. {@code
 * IntervalBucket.of(100).refill(100, Duration.ofMinutes(1))} admits 100 units, and the next 100 a
 * minute after the first of them; Bucket4j calls this {@code refillIntervally}. A {@link
 * TokenBucket} gains the same tokens evenly.
 *
 * @param tiers 1 to 16 buckets, all of which must admit a call
 */
public record IntervalBucket(List<LimitTier> tiers) implements Limit {
  /**
   * @throws IllegalArgumentException if there are no tiers or more than 16, or if one is out of the
   *     bounds of {@link Capacity#refill}
   */
  public IntervalBucket {
    tiers = LimitBounds.tiers(tiers, LimitBounds::batches);
  }

  /**
   * A bucket whose refill is still missing.
   *
   * @param capacity tokens that the bucket holds, 1 to 10^12
   */
  public record Capacity(long capacity) {
    /**
     * @throws IllegalArgumentException if the capacity is out of bounds
     */
    public Capacity {
      LimitBounds.units("capacity", capacity);
    }

    /**
     * The bucket that gains {@code tokens} at the end of every {@code interval}. It must be full
     * again within 100 years.
     *
     * @param tokens tokens of a batch, 1 to 10^12, which may be more than the bucket holds
     * @param interval from one batch to the next, 1 microsecond to 366 days, whole microseconds
     * @throws IllegalArgumentException if a number is out of bounds; the message names it
     */
    public IntervalBucket refill(long tokens, Duration interval) {
      return new IntervalBucket(
          List.of(LimitBounds.tier(capacity, "tokens", tokens, "interval", interval)));
    }
  }

  /**
   * Begins a bucket that holds {@code capacity} tokens; {@link Capacity#refill} completes it.
   *
   * @throws IllegalArgumentException if the capacity is out of bounds
   */
  public static Capacity of(long capacity) {
    return new Capacity(capacity);
  }

  /**
   * Combines this limit with another one: a call needs tokens in both.
   *
   * @throws IllegalArgumentException if that makes more than 16 tiers
   */
  public IntervalBucket and(IntervalBucket other) {
    return new IntervalBucket(LimitBounds.joined(tiers, other.tiers));
  }

  @Override
  public String algorithm() {
    return "interval-bucket";
  }

  /** The limit as text, such as {@code interval-bucket:10/1s,burst=100}. */
  @Override
  public String toString() {
    return LimitBounds.text(this);
  }
}
