package io.github.penstock.core;

import java.time.Duration;

/**
 * A call to a limiter, as reported to a {@link RateLimitListener}. Immutable.
 *
 * @param kind the operation
 * @param policy the limiter's policy
 * @param subject the subject, as the caller passed it
 * @param units the cost of an acquire, the maximum of an acquire-up-to, or the number of units to
 *     refund; 0 for a peek
 * @param latency the time from the start of the call to its end
 */
public record LimiterCall(Kind kind, String policy, String subject, long units, Duration latency) {

  /** The kinds of calls. */
  public enum Kind {
    /**
     * A {@link RateLimiter#tryAcquire(String, long)}, one call of a batch, or one attempt by {@link
     * RateLimiter#acquire}.
     */
    ACQUIRE,
    /** A {@link RateLimiter#tryAcquireUpTo}. */
    ACQUIRE_UP_TO,
    /** A {@link RateLimiter#peek}. */
    PEEK,
    /**
     * A {@link RateLimiter#refund} or {@link RateLimiter#reset}, including a refund by {@code
     * acquire}.
     */
    REFUND
  }
}
