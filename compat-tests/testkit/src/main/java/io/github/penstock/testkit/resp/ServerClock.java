package io.github.penstock.testkit.resp;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The server's own clock, from which tests take their bounds: any event between two answers of TIME
 * happens between these times, on any machine.
 */
public final class ServerClock {
  private ServerClock() {}

  /** Microseconds since 1970. */
  public static long nowUs(CommandSender server) {
    return micros(server.call("TIME"));
  }

  /** Microseconds since 1970 in an answer of TIME. */
  public static long micros(@Nullable Object time) {
    if (time instanceof List<?> parts && parts.size() == 2) {
      return TimeUnit.SECONDS.toMicros(Long.parseLong(String.valueOf(parts.get(0))))
          + Long.parseLong(String.valueOf(parts.get(1)));
    }
    throw new IllegalArgumentException("time must be an answer of TIME, not " + time);
  }

  /** Returns once the server's clock is past a time. */
  public static void awaitPast(CommandSender server, long us) {
    for (long left = us - nowUs(server); left >= 0; left = us - nowUs(server)) {
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(left + 1));
    }
  }
}
