package io.github.penstock.simulator.replay;

import io.github.penstock.core.spi.time.TimeSource;

/** The clocks of a process: they show the traffic's time. Not safe for use by several threads. */
final class TrafficClock implements TimeSource {
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MICROS_PER_MILLI = 1_000;
  private long nowUs;

  /** It is now so late, in microseconds since 1970. */
  void reach(long timeUs) {
    nowUs = timeUs;
  }

  @Override
  public long nanos() {
    return nowUs * NANOS_PER_MICRO;
  }

  @Override
  public long wallMillis() {
    return nowUs / MICROS_PER_MILLI;
  }
}
