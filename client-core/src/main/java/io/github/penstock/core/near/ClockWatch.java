package io.github.penstock.core.near;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Notices that the monotonic clock stood still while the machine was suspended, or that the wall
 * clock stepped: the two have moved apart. What was learned before that is not to be used any more.
 * Safe for use by several threads.
 *
 * <p>Nothing is kept per call: the distance of the two clocks is compared with what it was when
 * somebody last looked. Whoever finds it changed notes the time, and everything that began earlier
 * is old, the calls that are on their way at that moment included.
 */
final class ClockWatch {
  /**
   * More than the two clocks differ by rounding and by a thread that is kept waiting in between.
   */
  private static final long NOTICED_NANOS = 5_000_000;

  private static final long NANOS_PER_MILLI = 1_000_000;
  private final TimeSource time;
  private final ForgetTimes changed;
  private final AtomicLong distance;

  ClockWatch(TimeSource time) {
    this.time = time;
    long nanos = time.nanos();
    changed = new ForgetTimes(1, nanos);
    distance = new AtomicLong(time.wallMillis() * NANOS_PER_MILLI - nanos);
  }

  /** Whether the clocks have moved together since then. */
  boolean steadySince(long beganNanos) {
    long nanos = time.nanos();
    long now = time.wallMillis() * NANOS_PER_MILLI - nanos;
    if (Math.abs(now - distance.get()) > NOTICED_NANOS) {
      changed.forget(0, nanos);
      distance.set(now);
    }
    return changed.counts(0, beganNanos);
  }
}
