package io.github.penstock.core.spi;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Limit;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.AsyncCalls;
import io.github.penstock.core.internal.Policy;
import io.github.penstock.core.internal.StageRateLimiter;

/**
 * What an adapter's {@link io.github.penstock.core.AsyncRateLimiters} delegates to: asynchronous
 * limiters through its port. For blocking ones give {@link Limiters} an {@link AwaitingPort}. Safe
 * for use by several threads.
 */
public final class AsyncLimiters {
  private final RateLimiterOptions options;
  private final AsyncCalls calls;

  /** Limiters through {@code port}. */
  public AsyncLimiters(AsyncScriptPort port, RateLimiterOptions options) {
    this.options = options;
    calls = new AsyncCalls(port);
  }

  /** See {@link io.github.penstock.core.AsyncRateLimiters#asyncLimiter}. */
  public AsyncRateLimiter limiter(String policy, Limit limit) {
    return new StageRateLimiter(new Policy(policy, limit, options), calls);
  }
}
