package io.github.penstock.test;

import io.github.penstock.core.spi.time.SteppedTime;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A clock that stands still until a test moves it, or a call pauses before it tries again. Calls
 * that wait for units wait for it. Safe for use by several threads.
 */
public final class TestClock {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private final SteppedTime time = new SteppedTime(START);
  private volatile Instant begin = START;

  TestClock() {}

  /* The time of this process, in which a pure pause, as between the attempts of a reservation, advances
   * the clock, so that the test need not wait. */
  TimeSource ofProcess() {
    return new TimeSource() {
      @Override
      public long nanos() {
        return time.nanos();
      }

      @Override
      public long wallMillis() {
        return time.wallMillis();
      }

      @Override
      public boolean await(CompletableFuture<?> event, long untilNanos)
          throws InterruptedException {
        return time.await(event, untilNanos);
      }

      @Override
      public void sleep(long untilNanos) {
        time.pass(Duration.ofNanos(Math.max(0, untilNanos - nanos())));
      }

      @Override
      public Executor at(long atNanos, Executor executor) {
        return time.at(atNanos, executor);
      }
    };
  }

  /** Returns the time of the clock; it begins with 2026. */
  public Instant now() {
    return START.plus(Duration.between(begin, time.now()));
  }

  /**
   * Time passes.
   *
   * @param passing not negative
   * @throws IllegalArgumentException if it is negative
   */
  public void advance(Duration passing) {
    time.pass(passing);
  }

  /* Only the server restarts from the beginning: for local decisions this time passes. */
  void restart(Duration passing) {
    time.pass(passing);
    begin = time.now();
  }

  /* The time of a server that begins now. */
  TimeSource ofServer() {
    return new TimeSource() {
      @Override
      public long nanos() {
        return time.nanos();
      }

      @Override
      public long wallMillis() {
        return now().toEpochMilli();
      }
    };
  }

  @Override
  public String toString() {
    return "TestClock[" + now() + "]";
  }
}
