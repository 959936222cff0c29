package io.github.penstock.core.spi.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Clocks that whoever waits moves, to the end of the wait: for calls that block the only thread
 * there is.
 */
public final class EagerTime implements TimeSource {
  private final SteppedTime time = new SteppedTime();
  private final long startNanos = time.nanos();

  /** Returns how much time has passed by waiting. */
  public Duration passed() {
    return Duration.ofNanos(nanos() - startNanos);
  }

  /** Time passes. */
  public void pass(Duration passing) {
    time.pass(passing);
  }

  @Override
  public long nanos() {
    return time.nanos();
  }

  @Override
  public long wallMillis() {
    return time.wallMillis();
  }

  @Override
  public boolean await(CompletableFuture<?> event, long untilNanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (!event.isDone()) {
      time.pass(Duration.ofNanos(Math.max(0, untilNanos - nanos())));
    }
    return event.isDone();
  }

  @Override
  public Executor at(long atNanos, Executor executor) {
    return time.at(atNanos, executor);
  }
}
