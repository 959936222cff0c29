package io.github.penstock.compat.plain;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.engine.PortRateLimiters;
import io.github.penstock.core.spi.KnownPasswords;
import io.github.penstock.core.spi.ScriptPort;
import io.github.penstock.testkit.resp.RedisUrl;

/**
 * Rate limiters over plain sockets to a single server, up to 64 of them. Safe for use by several
 * threads.
 */
public final class PlainRateLimiters extends PortRateLimiters {
  private PlainRateLimiters(PlainPort port, RateLimiterOptions options, KnownPasswords passwords) {
    super(port, options, passwords, port::close);
  }

  /** Connects to a single server; the first connection is made by the first call. */
  public static PlainRateLimiters connect(RedisUrl url, RateLimiterOptions options) {
    return new PlainRateLimiters(
        new PlainPort(url), options, KnownPasswords.none().and(url.password()));
  }

  /** For the suite. */
  ScriptPort port() {
    return blockingPort();
  }
}
