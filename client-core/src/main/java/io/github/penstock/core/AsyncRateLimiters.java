package io.github.penstock.core;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.AsyncConcurrencyLimiter;
import io.github.penstock.core.reserve.AsyncReservations;
import io.github.penstock.core.reserve.EntryLimit;
import java.time.Duration;

/** Creates {@link AsyncRateLimiter}s that share one Redis client. Thread-safe. */
public interface AsyncRateLimiters extends AutoCloseable {
  /**
   * Returns a limiter with this policy name and limit. Creating a limiter is cheap, as with {@link
   * RateLimiters#limiter}.
   *
   * @throws IllegalArgumentException if the policy name is invalid
   */
  AsyncRateLimiter asyncLimiter(String policy, Limit limit);

  /**
   * Returns a limiter that charges units in advance, like {@link RateLimiters#limiter(String,
   * Limit, LeaseTerms)}.
   *
   * @throws IllegalArgumentException if the policy name is invalid
   */
  AsyncRateLimiter asyncLimiter(String policy, Limit limit, LeaseTerms leasing);

  /** Returns reservations, like {@link RateLimiters#reservations}. */
  AsyncReservations asyncReservations(String name, Duration keep);

  /** Returns a concurrency limiter, like {@link RateLimiters#concurrency}. */
  default AsyncConcurrencyLimiter asyncConcurrency(String policy, long limit, Duration keep) {
    return new AsyncConcurrencyLimiter(
        asyncReservations(policy, keep), EntryLimit.concurrency(policy, limit));
  }

  /**
   * Waits until the server can make decisions, like {@link RateLimiters#awaitConnected(Duration)}.
   */
  void awaitConnected(Duration atMost);

  /**
   * Returns statistics about remembered denials and leases, like {@link
   * RateLimiters#nearStatistics()}.
   */
  NearStatistics nearStatistics();

  /**
   * Closes the resources that this object opened, but not a client that was passed in. New calls,
   * and calls that are waiting in {@code acquire}, throw an {@link IllegalStateException}. Every
   * other call in progress ends with its result or with a {@link NoDecisionException}, regardless
   * of {@link OnUnavailable}. This method returns within 10 s. If closing the client takes longer,
   * it continues in the background and a warning is logged.
   */
  @Override
  void close();
}
