package io.github.penstock.core.hold;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Renews reservations in the background, on at most {@value #THREADS} daemon threads, which end
 * when nothing is left to renew. Safe for use by several threads.
 */
final class RenewalTimer {
  private static final int THREADS = 4;
  private static final int PART = 3;
  private static final ScheduledThreadPoolExecutor TIMER =
      new ScheduledThreadPoolExecutor(
          THREADS,
          work -> {
            Thread thread = new Thread(work, "penstock-renewals");
            thread.setDaemon(true);
            return thread;
          });

  static {
    TIMER.setKeepAliveTime(1, TimeUnit.SECONDS);
    TIMER.allowCoreThreadTimeOut(true);
  }

  private RenewalTimer() {}

  /** Runs {@code renewal} once, a third of {@code keep} from now. */
  static void schedule(Duration keep, Runnable renewal) {
    TIMER.schedule(renewal, keep.toNanos() / PART, TimeUnit.NANOSECONDS);
  }
}
