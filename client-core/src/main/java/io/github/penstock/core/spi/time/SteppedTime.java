package io.github.penstock.core.spi.time;

import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Clocks that move only when a test moves them. Tasks that become due meanwhile run at their own
 * times, in order, on the thread that moves the clock or on the executor that they name. Safe for
 * use by several threads.
 */
public final class SteppedTime implements TimeSource {
  /* The monotonic clock overflows after a second, as that of a machine may. */
  private static final long ORIGIN_NANOS = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1);
  private static final long MOST_SECONDS = 60;

  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private final Instant start;
  private long passedNanos;
  private long steppedNanos;
  private long added;

  /** A task that is due after this time; tasks due together keep their order. */
  private record Timer(long passedNanos, long number, Runnable task) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      return passedNanos == other.passedNanos
          ? Long.compare(number, other.number)
          : Long.compare(passedNanos, other.passedNanos);
    }
  }

  /** Clocks that show the beginning of 2026. */
  public SteppedTime() {
    this(Instant.parse("2026-01-01T00:00:00Z"));
  }

  /** Clocks that show {@code start}. */
  public SteppedTime(Instant start) {
    this.start = start;
  }

  /**
   * Time passes.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public void pass(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("time must not be negative: " + time);
    }
    long end = passed() + time.toNanos();
    for (Timer due = next(end); due != null; due = next(end)) {
      due.task.run();
    }
  }

  /** The wall clock alone moves: it is set, or the machine was suspended. */
  public synchronized void stepWall(Duration time) {
    steppedNanos += time.toNanos();
  }

  /** Waits until this number of waits and tasks are pending, for 60 s at most. */
  public synchronized void awaitPending(int count) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    while (timers.size() < count) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw new IllegalStateException(timers.size() + " waits are pending, not " + count);
      }
      wait(left);
    }
  }

  @Override
  public long nanos() {
    return ORIGIN_NANOS + passed();
  }

  @Override
  public long wallMillis() {
    return now().toEpochMilli();
  }

  /** Returns the time of the wall clock. */
  public synchronized Instant now() {
    return start.plusNanos(passedNanos + steppedNanos);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if neither the event nor the time has come after a minute
   */
  @Override
  public boolean await(CompletableFuture<?> event, long untilNanos) throws InterruptedException {
    CompletableFuture<?> time = new CompletableFuture<>();
    Timer timer = add(untilNanos, () -> time.complete(null));
    try {
      CompletableFuture.anyOf(event, time).get(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "a call waits for a clock that stood still for " + MOST_SECONDS + " s: move it", e);
    } catch (ExecutionException | CancellationException happened) {
      return true;
    } finally {
      remove(timer);
    }
    return event.isDone();
  }

  @Override
  public Executor at(long atNanos, Executor executor) {
    return task -> add(atNanos, () -> executor.execute(task));
  }

  private Timer add(long atNanos, Runnable task) {
    Timer timer = enqueued(atNanos - ORIGIN_NANOS, task);
    pass(Duration.ZERO);
    return timer;
  }

  private synchronized Timer enqueued(long atPassed, Runnable task) {
    Timer timer = new Timer(atPassed, added++, task);
    timers.add(timer);
    notifyAll();
    return timer;
  }

  private synchronized void remove(Timer timer) {
    timers.remove(timer);
  }

  /* The next timer until then, at its time; at last that time itself. */
  private synchronized @Nullable Timer next(long end) {
    Timer first = timers.peek();
    if (first == null || first.passedNanos > end) {
      passedNanos = Math.max(passedNanos, end);
      return null;
    }
    passedNanos = Math.max(passedNanos, first.passedNanos);
    return timers.poll();
  }

  private synchronized long passed() {
    return passedNanos;
  }

  @Override
  public String toString() {
    return "SteppedTime[" + now() + "]";
  }
}
