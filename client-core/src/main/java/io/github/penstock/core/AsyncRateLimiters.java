package io.github.penstock.core;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.AsyncConcurrencyLimiter;
import io.github.penstock.core.reserve.AsyncReservations;
import io.github.penstock.core.reserve.NamedLimit;
import java.time.Duration;

/** Creates {@link AsyncRateLimiter}s that use one Redis client. Thread-safe. */
public interface AsyncRateLimiters extends AutoCloseable {
  /**
   * Returns a limiter for {@code policy} with {@code limit}; this is as cheap as {@link
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

  /** Returns a limiter of concurrent calls, like {@link RateLimiters#concurrency}. */
  default AsyncConcurrencyLimiter asyncConcurrency(String policy, long limit, Duration keep) {
    return new AsyncConcurrencyLimiter(
        asyncReservations(policy, keep), NamedLimit.concurrency(policy, limit));
  }

  /** Waits until a decision can be made, like {@link RateLimiters#awaitConnected(Duration)}. */
  void awaitConnected(Duration atMost);

  /**
   * Returns statistics of remembered denials and leases, like {@link
   * RateLimiters#nearStatistics()}.
   */
  NearStatistics nearStatistics();

  /**
   * Closes the resources that this object opened; a client that was passed in stays open. Later
   * calls, and calls that wait in {@code acquire}, throw an {@link IllegalStateException}; a call
   * in progress ends with its result or with a {@link NoDecisionException}, regardless of {@link
   * OnUnavailable}. Returns within 10 s: a client that takes longer to close is closed in the
   * background, and a warning is logged.
   */
  @Override
  void close();
}
