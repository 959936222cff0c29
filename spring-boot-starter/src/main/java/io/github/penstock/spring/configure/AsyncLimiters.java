package io.github.penstock.spring.configure;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.AsyncReservations;
import java.time.Duration;

/**
 * Limiters by their asynchronous interface only; see {@link BlockingLimiters}.
 *
 * @param limiters the limiters
 */
record AsyncLimiters(AsyncRateLimiters limiters) implements AsyncRateLimiters {
  @Override
  public AsyncRateLimiter asyncLimiter(String policy, Limit limit) {
    return limiters.asyncLimiter(policy, limit);
  }

  @Override
  public AsyncRateLimiter asyncLimiter(String policy, Limit limit, LeaseTerms leasing) {
    return limiters.asyncLimiter(policy, limit, leasing);
  }

  @Override
  public AsyncReservations asyncReservations(String name, Duration keep) {
    return limiters.asyncReservations(name, keep);
  }

  @Override
  public void awaitConnected(Duration atMost) {
    limiters.awaitConnected(atMost);
  }

  @Override
  public NearStatistics nearStatistics() {
    return limiters.nearStatistics();
  }

  @Override
  public void close() {
    limiters.close();
  }
}
