package io.github.penstock.core.limit;

import java.time.Duration;

/**
 * A bucket of tokens that starts full and refills in batches at the end of each interval.
 *
 * <p>Intervals are counted from the first charge to the full bucket. {@code
 * IntervalBucket.of(100).refill(100, Duration.ofMinutes(1))} admits 100 units at first, and another
 * 100 units one minute after the first charge. Bucket4j calls this behaviour {@code
 * refillIntervally}. A {@link TokenBucket} with the same numbers refills evenly instead.
 */
public final class IntervalBucket {
  private final long capacity;

  private IntervalBucket(long capacity) {
    LimitBounds.units("capacity", capacity);
    this.capacity = capacity;
  }

  /**
   * Starts the definition of a bucket that holds {@code capacity} tokens. {@link #refill} completes
   * the definition.
   *
   * @param capacity the maximum number of tokens in the bucket, 1 to 10^12
   * @throws IllegalArgumentException if the capacity is out of bounds
   */
  public static IntervalBucket of(long capacity) {
    return new IntervalBucket(capacity);
  }

  /**
   * Returns the limit of a bucket that gains {@code tokens} at the end of every {@code interval}.
   * An empty bucket must refill within 100 years.
   *
   * @param tokens the number of tokens in a batch, 1 to 10^12; it can exceed the capacity
   * @param interval the time between batches, 1 microsecond to 366 days, in whole microseconds
   * @throws IllegalArgumentException if an argument is out of bounds; the message names the
   *     argument
   */
  public Limit refill(long tokens, Duration interval) {
    return LimitBounds.one(
        LimitKind.INTERVAL_BUCKET, capacity, "tokens", tokens, "interval", interval);
  }
}
