package io.github.penstock.local;

import io.github.penstock.core.near.TimeSource;

/**
 * The time of limits that are kept here: microseconds since 1970 when it was made, and from then on
 * as the monotonic clock counts. It never steps back. Immutable.
 */
final class MicroClock {
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MICROS_PER_MILLI = 1_000;
  private final TimeSource time;
  private final long originNanos;
  private final long originMicros;

  MicroClock(TimeSource time) {
    this.time = time;
    originNanos = time.nanos();
    originMicros = time.wallMillis() * MICROS_PER_MILLI;
  }

  long micros() {
    return originMicros + (time.nanos() - originNanos) / NANOS_PER_MICRO;
  }
}
