package io.github.penstock.core.internal.waiting;

import io.github.penstock.core.spi.time.TimeSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Asynchronous calls that wait for a connection, at most 45,000, and try again until they have one
 * or their deadline takes them out. Safe for use by several threads.
 *
 * <p>Only a few try at a time, at first after 1 ms and later every 32 ms, so that even very many
 * cost little while no server answers; once a call that waited is answered, all try until none gets
 * further.
 */
public final class ConnectionQueue {
  private static final int MOST = 45_000;
  private static final int TRIALS = 16;
  private static final long LONGEST_PAUSE_MS = 32;

  private final Queue<BooleanSupplier> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicBoolean trying = new AtomicBoolean();
  private final AtomicBoolean releasing = new AtomicBoolean();
  private final TimeSource time;

  public ConnectionQueue(TimeSource time) {
    this.time = time;
  }

  /**
   * Lets a call wait; returns false if too many do.
   *
   * @param call tries again; false if it has no time left, or has stopped waiting
   */
  public boolean add(BooleanSupplier call) {
    if (waiting.incrementAndGet() > MOST) {
      waiting.decrementAndGet();
      return false;
    }
    queue.add(call);
    if (!trying.get() && trying.compareAndSet(false, true)) {
      tryLater(1);
    }
    return true;
  }

  /** One call stops waiting, because it tries or was abandoned. */
  public void left() {
    waiting.decrementAndGet();
  }

  /** A call that waited was answered, so there are connections. */
  public void connected() {
    if (!queue.isEmpty() && releasing.compareAndSet(false, true)) {
      DaemonThreads.RECONNECTING.execute(this::releaseAll);
    }
  }

  private void tryLater(long pauseMs) {
    time.at(time.nanos() + TimeUnit.MILLISECONDS.toNanos(pauseMs), DaemonThreads.RECONNECTING)
        .execute(() -> trySome(pauseMs));
  }

  private void trySome(long pauseMs) {
    tryAgain(TRIALS);
    if (!queue.isEmpty()) {
      tryLater(Math.min(LONGEST_PAUSE_MS, 2 * pauseMs));
      return;
    }
    trying.set(false);
    if (!queue.isEmpty() && trying.compareAndSet(false, true)) {
      tryLater(1);
    }
  }

  /* A call that waits again goes behind all others; once as many do as tried, more would, too. */
  private void releaseAll() {
    int before;
    do {
      before = waiting.get();
      tryAgain(TRIALS);
    } while (waiting.get() < before);
    releasing.set(false);
  }

  private void tryAgain(int most) {
    for (int tried = 0; tried < most; ) {
      BooleanSupplier call = queue.poll();
      if (call == null) {
        return;
      }
      if (call.getAsBoolean()) {
        tried++;
      }
    }
  }
}
