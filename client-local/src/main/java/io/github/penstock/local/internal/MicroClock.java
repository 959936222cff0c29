package io.github.penstock.local.internal;

import java.util.function.LongSupplier;

/**
 * The time of limits in memory: microseconds since 1970 at its creation, and the monotonic clock
 * from then on. It never steps back. Immutable.
 */
public final class MicroClock {
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MICROS_PER_MILLI = 1_000;
  private final LongSupplier nanos;
  private final long originNanos;
  private final long originMicros;

  public MicroClock(LongSupplier nanos, long wallMillis) {
    this.nanos = nanos;
    originNanos = nanos.getAsLong();
    originMicros = wallMillis * MICROS_PER_MILLI;
  }

  long micros() {
    return originMicros + (nanos.getAsLong() - originNanos) / NANOS_PER_MICRO;
  }
}
