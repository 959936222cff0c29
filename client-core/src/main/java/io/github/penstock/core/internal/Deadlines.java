package io.github.penstock.core.internal;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends asynchronous calls whose deadline has passed. Safe for use by several threads.
 *
 * <p>All calls of one limiters object have the same deadline, so they expire in the order in which
 * they begin: a queue is enough, without a timer's heap and its lock. A call that has its answer
 * empties its entry, which stays in the queue, some 50 bytes, until it would have expired. The one
 * daemon thread sleeps until the first entry expires and ends when the queue is empty.
 */
final class Deadlines implements Runnable {
  private final ConcurrentLinkedQueue<Entry> pending = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean watched = new AtomicBoolean();

  /** A call's place in the queue; who takes the call out of it may complete it. */
  static final class Entry extends AtomicReference<AsyncCall<?>> {
    private static final long serialVersionUID = 1L;
    private final long deadlineNanos;

    Entry(AsyncCall<?> call, long deadlineNanos) {
      super(call);
      this.deadlineNanos = deadlineNanos;
    }

    boolean claim() {
      return getAndSet(null) != null;
    }
  }

  void watch(Entry entry) {
    pending.add(entry);
    if (!watched.get() && watched.compareAndSet(false, true)) {
      Thread thread = new Thread(this, "penstock-deadlines");
      thread.setDaemon(true);
      thread.start();
    }
  }

  @Override
  public void run() {
    do {
      for (Entry first = pending.peek(); first != null; first = pending.peek()) {
        awaitPassing(first.deadlineNanos);
        pending.poll();
        AsyncCall<?> late = first.getAndSet(null);
        if (late != null) {
          late.expire();
        }
      }
      watched.set(false);
    } while (!pending.isEmpty() && watched.compareAndSet(false, true));
  }

  private static void awaitPassing(long deadlineNanos) {
    long left = deadlineNanos - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = deadlineNanos - System.nanoTime();
    }
  }
}
