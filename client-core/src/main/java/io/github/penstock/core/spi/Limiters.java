package io.github.penstock.core.spi;

import io.github.penstock.core.Limit;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.BlockingCalls;
import io.github.penstock.core.internal.BlockingRateLimiter;
import io.github.penstock.core.internal.Policy;
import io.github.penstock.scripts.FunctionsLibrary;

/**
 * What an adapter's {@link io.github.penstock.core.RateLimiters} delegates to: blocking limiters
 * through its port. Safe for use by several threads.
 */
public final class Limiters {
  private final ScriptPort port;
  private final RateLimiterOptions options;
  private final BlockingCalls calls;

  /** Limiters through {@code port}. */
  public Limiters(ScriptPort port, RateLimiterOptions options) {
    this.port = port;
    this.options = options;
    calls = new BlockingCalls(port);
  }

  /** See {@link io.github.penstock.core.RateLimiters#limiter}. */
  public RateLimiter limiter(String policy, Limit limit) {
    return new BlockingRateLimiter(new Policy(policy, limit, options), calls);
  }

  /** See {@link io.github.penstock.core.RateLimiters#loadFunctions}. */
  public void loadFunctions() {
    port.loadFunctions(FunctionsLibrary.SOURCE);
  }

  /** The scripts behind the same port, for tests and simulations. */
  public ScriptRunner scripts() {
    return new ScriptRunner(calls, options);
  }
}
