package io.github.penstock.local;

import io.github.penstock.core.time.TimeSource;

/** A clock that a test moves, in microseconds. */
final class HandClock implements TimeSource {
  private static final long NANOS_PER_MICRO = 1_000;
  private final long startMillis;
  private volatile long passedUs;

  HandClock(long startMillis) {
    this.startMillis = startMillis;
  }

  @Override
  public long nanos() {
    return Long.MAX_VALUE - 1_000_000 + passedUs * NANOS_PER_MICRO;
  }

  @Override
  public long wallMillis() {
    return startMillis;
  }

  /** Time passes. */
  void pass(long micros) {
    passedUs += micros;
  }
}
