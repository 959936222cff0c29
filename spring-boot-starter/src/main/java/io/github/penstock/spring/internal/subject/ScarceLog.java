package io.github.penstock.spring.internal.subject;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Logs at most one line a second, and the number of omitted lines. Safe for use by several threads.
 */
public final class ScarceLog {
  private static final Logger LOG = System.getLogger("io.github.penstock.spring");
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private final AtomicLong lastNanos = new AtomicLong(System.nanoTime() - PAUSE_NANOS);
  private final AtomicLong left = new AtomicLong();

  /** Logs a line, or counts it. */
  public void log(Level level, String line) {
    long last = lastNanos.get();
    long now = System.nanoTime();
    if (now - last < PAUSE_NANOS || !lastNanos.compareAndSet(last, now)) {
      left.incrementAndGet();
      return;
    }
    LOG.log(level, line + "; since the last report " + left.getAndSet(0) + " more");
  }
}
