package io.github.penstock.compat.load;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;

/**
 * Measures how late this machine wakes threads that only sleep and hand something to each other, as
 * calls do: no client can be blamed for that. Ends when it is closed.
 */
public final class StallWatch implements AutoCloseable {
  private static final long SLEEP_MS = 5;
  private static final long NOISE_NANOS = 1_000_000;

  private final Exchanger<Boolean> handover = new Exchanger<>();
  private final Thread thread = new Thread(this::watch, "penstock-stalls");
  private final Thread other = new Thread(this::answer, "penstock-stalls-other");
  private final Queue<Stall> all = new ConcurrentLinkedQueue<>();

  private record Stall(long fromNanos, long toNanos, long nanos) {}

  private StallWatch() {}

  static StallWatch watching() {
    StallWatch stalls = new StallWatch();
    stalls.thread.setDaemon(true);
    stalls.other.setDaemon(true);
    stalls.thread.start();
    stalls.other.start();
    return stalls;
  }

  private void watch() {
    try {
      while (true) {
        long start = System.nanoTime();
        Thread.sleep(SLEEP_MS);
        handover.exchange(true);
        handover.exchange(true);
        long now = System.nanoTime();
        long late = now - start - TimeUnit.MILLISECONDS.toNanos(SLEEP_MS);
        if (late > NOISE_NANOS) {
          all.add(new Stall(start, now, late));
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer() {
    try {
      while (true) {
        handover.exchange(true);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** The longest stall. */
  public long longestNanos() {
    return all.stream().mapToLong(Stall::nanos).max().orElse(0);
  }

  /** All stalls that overlap a stretch of time, together. */
  long nanosWithin(long fromNanos, long toNanos) {
    return all.stream()
        .filter(stall -> stall.fromNanos < toNanos && stall.toNanos > fromNanos)
        .mapToLong(Stall::nanos)
        .sum();
  }

  @Override
  public void close() {
    thread.interrupt();
    other.interrupt();
  }
}
