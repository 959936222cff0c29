package io.github.penstock.core.internal.hold;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Renews reservations in the background, on at most {@value #THREADS} daemon threads, which end
 * when nothing is left to renew. Safe for use by several threads.
 */
final class RenewalTimer {
  private static final int THREADS = 4;
  private static final int PART = 3;
  private static final ThreadPoolExecutor RENEWING =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          work -> {
            Thread thread = new Thread(work, "penstock-renewals");
            thread.setDaemon(true);
            return thread;
          });

  static {
    RENEWING.allowCoreThreadTimeOut(true);
  }

  private RenewalTimer() {}

  /** Runs {@code renewal} once, a third of the policy's time to keep from now. */
  static void schedule(HoldPolicy policy, Runnable renewal) {
    long at = policy.time().nanos() + policy.keep().toNanos() / PART;
    policy.time().at(at, RENEWING).execute(renewal);
  }
}
