package io.github.penstock.core;

import java.time.Duration;

/**
 * A call to a limiter, as passed to a {@link RateLimitListener}. Immutable.
 *
 * @param kind the operation
 * @param policy the limiter's policy
 * @param subject the subject, as the caller passed it
 * @param units the cost of an acquire, the maximum of an acquire-up-to, the units of a refund; 0
 *     for a peek
 * @param latency from the start of the call to its end
 */
public record LimiterCall(Kind kind, String policy, String subject, long units, Duration latency) {

  /** The kinds of calls. */
  public enum Kind {
    /**
     * {@link RateLimiter#tryAcquire(String, long)}, each call of a batch, and each attempt of
     * {@link RateLimiter#acquire}.
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
