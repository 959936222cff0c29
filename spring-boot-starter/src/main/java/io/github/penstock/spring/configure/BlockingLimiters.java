package io.github.penstock.spring.configure;

import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.Reservations;
import java.time.Duration;

/**
 * Limiters by their blocking interface only, so that a bean of this type is not a candidate for the
 * asynchronous one.
 *
 * @param limiters the limiters
 */
record BlockingLimiters(RateLimiters limiters) implements RateLimiters {
  @Override
  public RateLimiter limiter(String policy, Limit limit) {
    return limiters.limiter(policy, limit);
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit, LeaseTerms leasing) {
    return limiters.limiter(policy, limit, leasing);
  }

  @Override
  public Reservations reservations(String name, Duration keep) {
    return limiters.reservations(name, keep);
  }

  @Override
  public void loadFunctions() {
    limiters.loadFunctions();
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
