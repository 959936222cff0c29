package io.github.penstock.compat.near;

import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.Reservations;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;

/** Asynchronous limiters with awaited stages: the rules for blocking ones apply. */
public record AwaitedLimiters(RateLimiters limiters, AsyncRateLimiters async)
    implements RateLimiters {
  /** Skips the test without asynchronous ones. */
  public static AwaitedLimiters of(RateLimiters limiters) {
    if (limiters instanceof AsyncRateLimiters async) {
      return new AwaitedLimiters(limiters, async);
    }
    limiters.close();
    return Assumptions.abort("optional: it offers no asynchronous limiters");
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit) {
    return new AwaitedLimiter(async.asyncLimiter(policy, limit));
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit, LeaseTerms leasing) {
    return new AwaitedLimiter(async.asyncLimiter(policy, limit, leasing));
  }

  @Override
  public Reservations reservations(String name, Duration keep) {
    return new AwaitedReservations(async.asyncReservations(name, keep));
  }

  @Override
  public void awaitConnected(Duration atMost) {
    async.awaitConnected(atMost);
  }

  @Override
  public void loadFunctions() {
    limiters.loadFunctions();
  }

  @Override
  public NearStatistics nearStatistics() {
    return async.nearStatistics();
  }

  @Override
  public void close() {
    async.close();
  }
}
