package io.github.penstock.core.spi.time;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The clocks of a process, and waits by them. Times to wait for are points on the monotonic clock,
 * so that no time is lost between reading it and waiting. A clock that only shows times waits by
 * the machine's. Safe for use by several threads.
 */
public interface TimeSource {
  /** The clocks of this machine. */
  TimeSource SYSTEM =
      new TimeSource() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public long wallMillis() {
          return System.currentTimeMillis();
        }
      };

  /** Monotonic, as {@link System#nanoTime()} counts: good for differences only. */
  long nanos();

  /** Milliseconds since 1970; may step. */
  long wallMillis();

  /**
   * Waits for an event until a time; returns whether the event has happened. An event that failed
   * has happened.
   */
  default boolean await(CompletableFuture<?> event, long untilNanos) throws InterruptedException {
    try {
      event.get(Math.max(0, untilNanos - nanos()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException tooLate) {
      return event.isDone();
    } catch (ExecutionException | CancellationException happened) {
      return true;
    }
    return true;
  }

  /** Waits until a time. */
  default void sleep(long untilNanos) throws InterruptedException {
    await(new CompletableFuture<>(), untilNanos);
  }

  /** An executor that hands its tasks to another one at a time, or now if that has passed. */
  default Executor at(long atNanos, Executor executor) {
    return CompletableFuture.delayedExecutor(atNanos - nanos(), TimeUnit.NANOSECONDS, executor);
  }
}
