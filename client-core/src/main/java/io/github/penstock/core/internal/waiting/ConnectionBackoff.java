package io.github.penstock.core.internal.waiting;

import io.github.penstock.core.spi.time.TimeSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The pauses of a blocking call between attempts to get a connection: 1 ms at first and 32 ms at
 * most, with a random part. For one thread.
 */
public final class ConnectionBackoff {
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(32);
  private static final long MOST_MORE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private final TimeSource time;
  private final long deadlineNanos;
  private long pauseNanos = TimeUnit.MILLISECONDS.toNanos(1);
  private long begunNanos;

  /** Pauses that end with a deadline of the clock. */
  public ConnectionBackoff(TimeSource time, long deadlineNanos) {
    this(time, deadlineNanos, time.nanos());
  }

  /** The variant whose first attempt began earlier. */
  public ConnectionBackoff(TimeSource time, long deadlineNanos, long begunNanos) {
    this.time = time;
    this.deadlineNanos = deadlineNanos;
    this.begunNanos = begunNanos;
  }

  /**
   * Pauses after an attempt, the first of which began when this was made. An interrupt ends the
   * pause at most; the thread stays interrupted.
   *
   * @return false if no time remains for another attempt
   */
  public boolean beforeNext() {
    long now = time.nanos();
    long left = deadlineNanos - now - timeFor(now - begunNanos);
    if (left <= 0) {
      return false;
    }
    park(
        time,
        now + Math.min(left, ThreadLocalRandom.current().nextLong(pauseNanos / 2, pauseNanos + 1)));
    pauseNanos = Math.min(LONGEST_NANOS, 2 * pauseNanos);
    begunNanos = time.nanos();
    return true;
  }

  /**
   * Pauses for this time, or until the end if that is sooner; returns false once the end has come.
   */
  public static boolean pause(TimeSource time, long nanos, long endNanos) {
    long now = time.nanos();
    park(time, now + Math.min(nanos, endNanos - now));
    return endNanos - time.nanos() > 0;
  }

  private static void park(TimeSource time, long untilNanos) {
    boolean interrupted = Thread.interrupted();
    try {
      time.sleep(untilNanos);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns the time before the deadline at which an attempt must begin, given the duration of the
   * last one: that duration plus a margin, because durations vary. One that the deadline cuts off
   * may have been sent, for all that anybody knows.
   */
  public static long timeFor(long lastNanos) {
    return lastNanos + Math.min(3 * lastNanos, MOST_MORE_NANOS) + MARGIN_NANOS;
  }
}
