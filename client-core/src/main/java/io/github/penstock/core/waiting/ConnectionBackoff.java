package io.github.penstock.core.waiting;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The pauses of a blocking call between attempts to get a connection: 1 ms at first and 32 ms at
 * most, with a random part. For one thread.
 */
public final class ConnectionBackoff {
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(32);
  private static final long MOST_MORE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private final long deadlineNanos;
  private long pauseNanos = TimeUnit.MILLISECONDS.toNanos(1);
  private long begunNanos = System.nanoTime();

  /** Pauses that end with a deadline, as {@link System#nanoTime()} counts. */
  public ConnectionBackoff(long deadlineNanos) {
    this.deadlineNanos = deadlineNanos;
  }

  /**
   * Pauses after an attempt, the first of which began when this was made. An interrupt ends the
   * pause at most; the thread stays interrupted.
   *
   * @return false if there is no time for another attempt
   */
  public boolean beforeNext() {
    long now = System.nanoTime();
    long left = deadlineNanos - now - timeFor(now - begunNanos);
    if (left <= 0) {
      return false;
    }
    park(Math.min(left, ThreadLocalRandom.current().nextLong(pauseNanos / 2, pauseNanos + 1)));
    pauseNanos = Math.min(LONGEST_NANOS, 2 * pauseNanos);
    begunNanos = System.nanoTime();
    return true;
  }

  /** Pauses for so long, or until the end; returns false if that has come. */
  public static boolean pause(long nanos, long endNanos) {
    park(Math.min(nanos, endNanos - System.nanoTime()));
    return endNanos - System.nanoTime() > 0;
  }

  private static void park(long nanos) {
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(nanos);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns how long before the deadline an attempt must begin when the last one took so long: as
   * long as that, and some more, as none takes exactly as long as the last. One that the deadline
   * cuts off may have been sent, for all that anybody knows.
   */
  public static long timeFor(long lastNanos) {
    return lastNanos + Math.min(3 * lastNanos, MOST_MORE_NANOS) + MARGIN_NANOS;
  }
}
