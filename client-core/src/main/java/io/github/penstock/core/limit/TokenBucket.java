package io.github.penstock.core.limit;

import java.time.Duration;

/**
 * A bucket of tokens that starts full and refills evenly; a call takes as many tokens as it costs.
 *
 * <p>It admits a burst of up to {@code capacity} units at once, and then units at the refill rate.
 * {@code TokenBucket.of(100).refill(10, Duration.ofSeconds(1))} admits 100 units at once and then
 * one every 100 ms. The algorithm is the generic cell rate algorithm (ITU-T I.371) in exact
 * integers. It admits the same calls as a {@link LeakyBucket} with the same numbers, and shares its
 * state; only the time at which an admitted call proceeds differs.
 */
public final class TokenBucket {
  private final long capacity;

  private TokenBucket(long capacity) {
    LimitBounds.units("capacity", capacity);
    this.capacity = capacity;
  }

  /**
   * Starts the definition of a bucket that holds {@code capacity} tokens; {@link #refill} completes
   * it.
   *
   * @param capacity the maximum number of tokens in the bucket, 1 to 10^12
   * @throws IllegalArgumentException if the capacity is out of bounds
   */
  public static TokenBucket of(long capacity) {
    return new TokenBucket(capacity);
  }

  /**
   * Returns the bucket that gains {@code refillTokens} evenly over every {@code refillPeriod}. An
   * empty bucket must refill within 100 years. The product of {@code capacity} and the period in
   * microseconds must be below 2^53 after tokens and period have been divided by their greatest
   * common divisor.
   *
   * @param refillTokens the tokens that refill evenly over each period, 1 to 10^12
   * @param refillPeriod 1 microsecond to 366 days, whole microseconds
   * @throws IllegalArgumentException if a number is out of bounds; the message names it
   */
  public Limit refill(long refillTokens, Duration refillPeriod) {
    return LimitBounds.one(
        LimitKind.TOKEN_BUCKET,
        capacity,
        "refillTokens",
        refillTokens,
        "refillPeriod",
        refillPeriod);
  }
}
