package io.github.penstock.core.near;

import java.time.Duration;

/** Clocks that a test moves. */
final class SteppedTime implements TimeSource {
  private long nanos = Long.MAX_VALUE - 1_000_000_000;
  private long wallNanos = 1_763_712_000_000_000_000L;

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public long wallMillis() {
    return wallNanos / 1_000_000;
  }

  /** Time passes. */
  void pass(Duration time) {
    nanos += time.toNanos();
    wallNanos += time.toNanos();
  }

  /** The wall clock alone moves: it is set, or the machine was suspended. */
  void stepWall(Duration time) {
    wallNanos += time.toNanos();
  }
}
