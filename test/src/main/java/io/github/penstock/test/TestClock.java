package io.github.penstock.test;

import io.github.penstock.core.near.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it. Safe for use by several threads. */
public final class TestClock implements TimeSource {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private final AtomicLong passedNanos = new AtomicLong();
  private volatile long beginNanos;

  TestClock() {}

  /** Returns the time of the clock; it begins with 2026. */
  public Instant now() {
    return START.plusNanos(passedNanos.get() - beginNanos);
  }

  /**
   * Time passes.
   *
   * @param time not negative
   * @throws IllegalArgumentException if it is negative
   */
  public void advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("time must not be negative: " + time);
    }
    passedNanos.addAndGet(time.toNanos());
  }

  /* Only the server begins at the start again: what is answered without it sees so much pass. */
  void restart(Duration passing) {
    beginNanos = passedNanos.addAndGet(passing.toNanos());
  }

  /* The time of a server that begins now. */
  TimeSource ofServer() {
    return new TimeSource() {
      @Override
      public long nanos() {
        return TestClock.this.nanos();
      }

      @Override
      public long wallMillis() {
        return now().toEpochMilli();
      }
    };
  }

  @Override
  public long nanos() {
    return passedNanos.get();
  }

  @Override
  public long wallMillis() {
    return START.plusNanos(passedNanos.get()).toEpochMilli();
  }

  @Override
  public String toString() {
    return "TestClock[" + now() + "]";
  }
}
