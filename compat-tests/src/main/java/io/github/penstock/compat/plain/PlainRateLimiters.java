package io.github.penstock.compat.plain;

import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.core.Limit;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.Limiters;
import io.github.penstock.core.spi.ScriptRunner;
import io.github.penstock.core.spi.ScriptSource;

/**
 * Rate limiters over plain sockets to a single server, up to 64 of them. Safe for use by several
 * threads.
 */
public final class PlainRateLimiters implements RateLimiters, ScriptSource {
  private final PlainPort port;
  private final Limiters limiters;

  private PlainRateLimiters(PlainPort port, RateLimiterOptions options) {
    this.port = port;
    limiters = new Limiters(port, options);
  }

  /** Connects to a single server; the first connection is made by the first call. */
  public static PlainRateLimiters connect(RedisUrl url, RateLimiterOptions options) {
    return new PlainRateLimiters(new PlainPort(url), options);
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit) {
    return limiters.limiter(policy, limit);
  }

  @Override
  public void loadFunctions() {
    limiters.loadFunctions();
  }

  @Override
  public ScriptRunner scripts() {
    return limiters.scripts();
  }

  @Override
  public void close() {
    port.close();
  }
}
