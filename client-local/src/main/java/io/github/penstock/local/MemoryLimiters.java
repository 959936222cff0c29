package io.github.penstock.local;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.engine.AsyncTransportRateLimiters;
import io.github.penstock.core.near.TimeSource;
import io.github.penstock.core.spi.KnownPasswords;
import java.util.function.Function;

/** The limiters of core on a server of this process: what reservations are made with. */
final class MemoryLimiters extends AsyncTransportRateLimiters {
  /**
   * Limiters on a server whose keys of limits are what limiters keep.
   *
   * @param tables the subjects of a policy and a marker
   * @throws IllegalStateException if LuaJ is not on the class path
   */
  static MemoryLimiters of(
      RateLimiterOptions options,
      TimeSource time,
      MicroClock clock,
      Function<String, SubjectTable> tables) {
    try {
      return new MemoryLimiters(new MemoryServer(new SharedKeys(clock, tables)), options, time);
    } catch (NoClassDefFoundError missing) {
      throw new IllegalStateException(
          "reservations in memory need org.luaj:luaj-jse:3.0.1 on the class path", missing);
    }
  }

  private MemoryLimiters(MemoryServer server, RateLimiterOptions options, TimeSource time) {
    super(new MemoryTransport(server), options, KnownPasswords.none(), () -> {}, time);
  }
}
