package io.github.penstock.compat.plain;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.adapter.TransportRateLimiters;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.testkit.resp.RedisUrl;

/**
 * Rate limiters over plain sockets to a single server, up to 64 of them. Safe for use by several
 * threads.
 */
public final class PlainRateLimiters extends TransportRateLimiters {
  private PlainRateLimiters(
      PlainTransport transport, RateLimiterOptions options, KnownPasswords passwords) {
    super(transport, options, passwords, transport::close);
  }

  /** Connects to a single server; the first connection is made by the first call. */
  public static PlainRateLimiters connect(RedisUrl url, RateLimiterOptions options) {
    return new PlainRateLimiters(
        new PlainTransport(url), options, KnownPasswords.none().and(url.password()));
  }

  /** For the suite. */
  ScriptTransport transport() {
    return limitersTransport();
  }
}
