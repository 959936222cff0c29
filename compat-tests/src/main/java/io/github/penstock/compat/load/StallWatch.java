package io.github.penstock.compat.load;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measures how late this machine wakes threads that only sleep and hand something to each other, as
 * calls do: no client can be blamed for that. A stall counts from its beginning on, also while it
 * lasts. Ends when it is closed.
 */
public final class StallWatch implements AutoCloseable {
  private static final long SLEEP_MS = 5;
  private static final long NOISE_NANOS = 1_000_000;

  private final Exchanger<Boolean> handover = new Exchanger<>();
  private final Thread thread = new Thread(this::watch, "penstock-stalls");
  private final Thread other = new Thread(this::answer, "penstock-stalls-other");
  private final Queue<Stall> all = new ConcurrentLinkedQueue<>();

  private volatile long beginNanos = System.nanoTime();
  private volatile @Nullable Stall last;

  private record Stall(long fromNanos, long toNanos, long nanos) {
    static Stall between(long fromNanos, long toNanos) {
      long late = toNanos - fromNanos - TimeUnit.MILLISECONDS.toNanos(SLEEP_MS);
      return new Stall(fromNanos, toNanos, late > NOISE_NANOS ? late : 0);
    }
  }

  private StallWatch() {}

  /** Begins to watch. */
  public static StallWatch watching() {
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
        Thread.sleep(SLEEP_MS);
        handover.exchange(true);
        handover.exchange(true);
        Stall stall = Stall.between(beginNanos, System.nanoTime());
        if (stall.nanos > 0) {
          all.add(stall);
        }
        beginNanos = stall.toNanos;
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

  /* The one under way comes first: one that ends meanwhile is counted twice rather than not. */
  private Stream<Stall> stalls() {
    Stall ended = last;
    Stall latest = ended == null ? Stall.between(beginNanos, System.nanoTime()) : ended;
    return Stream.concat(Stream.of(latest), all.stream());
  }

  /** The longest stall. */
  public long longestNanos() {
    return stalls().mapToLong(Stall::nanos).max().orElse(0);
  }

  /** All stalls that overlap a stretch of time, together. */
  long nanosWithin(long fromNanos, long toNanos) {
    return stalls()
        .filter(stall -> stall.fromNanos < toNanos && stall.toNanos > fromNanos)
        .mapToLong(Stall::nanos)
        .sum();
  }

  @Override
  public void close() {
    last = Stall.between(beginNanos, System.nanoTime());
    thread.interrupt();
    other.interrupt();
  }
}
