package io.github.penstock.local.internal;

import io.github.penstock.core.spi.time.TimeSource;

/** A clock that a test moves, in microseconds. */
public final class HandClock implements TimeSource {
  private static final long NANOS_PER_MICRO = 1_000;
  private final long startMillis;
  private volatile long passedUs;

  public HandClock(long startMillis) {
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
  public void pass(long micros) {
    passedUs += micros;
  }
}
