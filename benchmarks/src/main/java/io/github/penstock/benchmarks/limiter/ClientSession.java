package io.github.penstock.benchmarks.limiter;

import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.RateLimiters;

/**
 * A client that is connected, and Penstock's limiters on it. Safe for use by several threads.
 *
 * @param raw the client's own calls
 * @param limiters every call asks
 * @param nearLimiters the same as they come: denials are remembered
 */
public record ClientSession(RawClient raw, RateLimiters limiters, RateLimiters nearLimiters)
    implements AutoCloseable {
  ClientSession(RawClient raw, BenchmarkTarget target) {
    this(raw, raw.limiters(target.options()), raw.limiters(target.nearOptions()));
  }

  /**
   * The limiters where every call asks.
   *
   * @throws UnsupportedOperationException if the client is not asynchronous
   */
  public AsyncRateLimiters asyncLimiters() {
    if (limiters instanceof AsyncRateLimiters asynchronous) {
      return asynchronous;
    }
    throw new UnsupportedOperationException("this client is not asynchronous");
  }

  @Override
  public void close() {
    limiters.close();
    nearLimiters.close();
    raw.close();
  }
}
