package io.github.penstock.core.limit;

import java.time.Duration;

/**
 * A bucket of tokens that starts full and refills evenly. A call takes as many tokens as its cost.
 *
 * <p>A token bucket admits a burst of up to {@code capacity} units at once. It admits further units
 * at the refill rate. {@code TokenBucket.of(100).refill(10, Duration.ofSeconds(1))} admits 100
 * units at once, and one more unit every 100 ms. The algorithm is the generic cell rate algorithm
 * (ITU-T I.371), computed in exact integers. A token bucket admits the same calls as a {@link
 * LeakyBucket} with the same numbers, and both use the same stored state. They differ only in when
 * an admitted call proceeds.
 */
public final class TokenBucket {
  private final long capacity;

  private TokenBucket(long capacity) {
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
  public static TokenBucket of(long capacity) {
    return new TokenBucket(capacity);
  }

  /**
   * Returns the limit of a bucket that gains {@code refillTokens} evenly over every {@code
   * refillPeriod}. An empty bucket must refill within 100 years. After the tokens and the period in
   * microseconds are divided by their greatest common divisor, the product of {@code capacity} and
   * the period must be below 2^53.
   *
   * @param refillTokens the number of tokens that refill evenly over each period, 1 to 10^12
   * @param refillPeriod the period, 1 microsecond to 366 days, in whole microseconds
   * @throws IllegalArgumentException if an argument is out of bounds; the message names the
   *     argument
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
