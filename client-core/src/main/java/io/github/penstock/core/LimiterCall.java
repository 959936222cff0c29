package io.github.penstock.core;

import java.time.Duration;

/**
 * A call that was made of a limiter, as a {@link RateLimitListener} hears of it. Immutable.
 *
 * @param kind what was asked
 * @param policy the limiter's policy
 * @param subject whom the call was for, as it was given
 * @param units the cost; the most units that were asked for; the units given back; 0 of a peek
 * @param latency from the call to its end
 */
public record LimiterCall(Kind kind, String policy, String subject, long units, Duration latency) {

  /** The kinds of calls. */
  public enum Kind {
    /**
     * {@link RateLimiter#tryAcquire(String, long)}, each call of a batch as well, and each time
     * that {@link RateLimiter#acquire} asks.
     */
    ACQUIRE,
    /** {@link RateLimiter#tryAcquireUpTo}. */
    ACQUIRE_UP_TO,
    /** {@link RateLimiter#peek}. */
    PEEK,
    /** {@link RateLimiter#refund} and {@link RateLimiter#reset}, also within {@code acquire}. */
    REFUND
  }
}
