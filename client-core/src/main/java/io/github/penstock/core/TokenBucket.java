package io.github.penstock.core;

import io.github.penstock.scripts.LuaScript;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;

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
public record TokenBucket(List<Tier> tiers) implements Limit {
  /**
   * @throws IllegalArgumentException if there are no tiers or more than 16
   */
  public TokenBucket {
    tiers = Bounds.tiers(tiers);
  }

  /**
   * One bucket. A full bucket must refill within 100 years, and {@code capacity} times the period
   * in microseconds, after tokens and period are reduced by their greatest common divisor, must be
   * below 2^53.
   *
   * @param capacity tokens that the bucket holds, 1 to 10^12
   * @param refillTokens tokens that it gains per period, evenly, 1 to 10^12
   * @param refillPeriod 1 microsecond to 366 days, whole microseconds
   */
  public record Tier(long capacity, long refillTokens, Duration refillPeriod) {
    /**
     * @throws IllegalArgumentException if a number is out of bounds; the message names it
     */
    public Tier {
      Bounds.units("capacity", capacity);
      Bounds.units("refill_tokens", refillTokens);
      long periodMicros = Bounds.periodMicros("refill_period_us", refillPeriod);
      Bounds.bucket(capacity, refillTokens, periodMicros);
    }
  }

  /**
   * A bucket that lacks its refill.
   *
   * @param capacity tokens that the bucket holds, 1 to 10^12
   */
  public record Capacity(long capacity) {
    /**
     * @throws IllegalArgumentException if the capacity is out of bounds
     */
    public Capacity {
      Bounds.units("capacity", capacity);
    }

    /**
     * The bucket that gains {@code tokens} evenly over every {@code period}.
     *
     * @throws IllegalArgumentException as {@link Tier} does
     */
    public TokenBucket refill(long tokens, Duration period) {
      return new TokenBucket(List.of(new Tier(capacity, tokens, period)));
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
   * This limit and the other one: a call needs tokens in both.
   *
   * @throws IllegalArgumentException if that makes more than 16 tiers
   */
  public TokenBucket and(TokenBucket other) {
    return new TokenBucket(Bounds.joined(tiers, other.tiers));
  }

  @Override
  public LuaScript script() {
    return LuaScript.TOKEN_BUCKET;
  }

  @Override
  public String marker() {
    StringJoiner marker = new StringJoiner("-", "b", "");
    for (Tier tier : tiers) {
      long periodMicros = Bounds.micros(tier.refillPeriod);
      marker.add(tier.capacity + "." + tier.refillTokens + "." + periodMicros);
    }
    return marker.toString();
  }

  @Override
  public List<String> arguments() {
    return tiers.stream()
        .flatMap(
            tier ->
                List.of(tier.capacity, tier.refillTokens, Bounds.micros(tier.refillPeriod))
                    .stream())
        .map(String::valueOf)
        .toList();
  }
}
