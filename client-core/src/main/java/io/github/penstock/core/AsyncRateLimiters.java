package io.github.penstock.core;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;

/**
 * Makes asynchronous {@link AsyncRateLimiter}s on one Redis client. Safe for use by several
 * threads.
 */
public interface AsyncRateLimiters extends AutoCloseable {
  /**
   * A limiter of {@code policy} under {@code limit}; as cheap as {@link RateLimiters#limiter}.
   *
   * @throws IllegalArgumentException if the policy name is invalid
   */
  AsyncRateLimiter asyncLimiter(String policy, Limit limit);

  /**
   * A limiter that charges units ahead, as {@link RateLimiters#limiter(String, Limit, LeaseTerms)}.
   *
   * @throws IllegalArgumentException if the policy name is invalid
   */
  AsyncRateLimiter asyncLimiter(String policy, Limit limit, LeaseTerms leasing);

  /**
   * Tells what these limiters know and hold without asking, as {@link
   * RateLimiters#nearStatistics()}.
   */
  NearStatistics nearStatistics();

  /**
   * Closes what was opened here; a client that was handed in stays open. Its limiters end with it:
   * a later call, and who waits in {@code acquire}, gets an {@link IllegalStateException}, and a
   * call under way what became of it or a {@link NoDecisionException}, whatever {@link
   * OnUnavailable} says. Returns after at most 10 s: a client that needs longer ends without the
   * caller, and the log says so.
   */
  @Override
  void close();
}
