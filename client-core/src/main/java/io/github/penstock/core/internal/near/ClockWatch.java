package io.github.penstock.core.internal.near;

import io.github.penstock.core.spi.time.TimeSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notices that the monotonic clock stood still while the machine was suspended, or that the wall
 * clock stepped: the two have moved apart. Denials remembered before that must not be used. Safe
 * for use by several threads.
 *
 * <p>Nothing is kept per call: each check compares the distance of the two clocks with that of the
 * previous check. If it has changed, the check notes the time, and everything that began earlier is
 * out of date, including calls that are on their way. A thread that was delayed between reading the
 * two clocks reads them again.
 */
final class ClockWatch {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * More than rounding to milliseconds and readings that are not quite simultaneous can explain.
   */
  private static final long NOTICED_NANOS = 5 * NANOS_PER_MILLI;

  private static final int CHECKS = 100;
  private final TimeSource time;
  private final InvalidationTimes changed;
  private final AtomicLong distance;

  ClockWatch(TimeSource time) {
    this.time = time;
    changed = new InvalidationTimes(1, time.nanos());
    distance = new AtomicLong(time.wallMillis() * NANOS_PER_MILLI - time.nanos());
  }

  /** Returns whether the clocks have moved together since then. */
  boolean steadySince(long beganNanos) {
    long apart = time.wallMillis() * NANOS_PER_MILLI - time.nanos();
    if (Math.abs(apart - distance.get()) > NOTICED_NANOS && !stillSteady()) {
      return false;
    }
    return changed.counts(0, beganNanos);
  }

  /* False if the distance of the clocks changed or is unknown. */
  private boolean stillSteady() {
    for (int check = 0; check < CHECKS; check++) {
      long before = time.nanos();
      long wall = time.wallMillis() * NANOS_PER_MILLI;
      long after = time.nanos();
      if (after - before < NANOS_PER_MILLI) {
        boolean steady = Math.abs(wall - after - distance.get()) <= NOTICED_NANOS;
        if (!steady) {
          changed.forget(0, after);
          distance.set(wall - after);
        }
        return steady;
      }
    }
    return false;
  }
}
