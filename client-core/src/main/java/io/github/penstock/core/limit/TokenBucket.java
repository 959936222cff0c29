package io.github.penstock.core.limit;

import java.time.Duration;
import java.util.List;

/**
 * A bucket of tokens that starts full and refills evenly; a call takes as many tokens as it costs.
 *
 * <p>Lets a burst of up to {@code capacity} units through at once, then admits at the rate of the
 * refill. {@code TokenBucket.of(100).refill(10, Duration.ofSeconds(1))} admits 100 units at once
 * and then one every 100 ms. The algorithm is the generic cell rate algorithm (ITU-T I.371) in
 * exact integers. It admits the same calls as a {@link LeakyBucket} of the same numbers, shares its
 * state, and differs in when an admitted call goes ahead.
 *
 * @param tiers 1 to 16 buckets, all of which must admit a call
 */
public record TokenBucket(List<LimitTier> tiers) implements Limit {
  /**
   * @throws IllegalArgumentException if there are no tiers or more than 16, or if one is out of the
   *     bounds of {@link Capacity#refill}
   */
  public TokenBucket {
    tiers = LimitBounds.tiers(tiers, LimitBounds::bucket);
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
     * The bucket that gains {@code refillTokens} evenly over every {@code refillPeriod}. Full, it
     * must refill within 100 years, and {@code capacity} times the period in microseconds, after
     * tokens and period are reduced by their greatest common divisor, must be below 2^53.
     *
     * @param refillTokens tokens that it gains per period, evenly, 1 to 10^12
     * @param refillPeriod 1 microsecond to 366 days, whole microseconds
     * @throws IllegalArgumentException if a number is out of bounds; the message names it
     */
    public TokenBucket refill(long refillTokens, Duration refillPeriod) {
      return new TokenBucket(
          List.of(
              LimitBounds.tier(
                  capacity, "refillTokens", refillTokens, "refillPeriod", refillPeriod)));
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
  public TokenBucket and(TokenBucket other) {
    return new TokenBucket(LimitBounds.joined(tiers, other.tiers));
  }

  @Override
  public String algorithm() {
    return "token-bucket";
  }

  /** The limit as text, such as {@code token-bucket:10/1s,burst=100}. */
  @Override
  public String toString() {
    return LimitBounds.text(this);
  }
}
