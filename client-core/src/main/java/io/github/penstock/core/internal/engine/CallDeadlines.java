package io.github.penstock.core.internal.engine;

import io.github.penstock.core.internal.waiting.DaemonThreads;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Ends asynchronous calls whose deadline has passed. Safe for use by several threads.
 *
 * <p>All calls of one limiters object have the same deadline, so they expire in the order in which
 * they begin: a queue is enough, without a timer's heap and its lock. A call that has its answer
 * empties its entry, which stays in the queue, some 50 bytes, until the next look. A check drops
 * those, ends late calls, and schedules the next check for the first of the rest. A late call may
 * have to wait for the verdict on its node; until then its own answer counts.
 *
 * <p>Late calls are completed by other threads, because code that depends on a call may block
 * although it must not, and would then delay all deadlines.
 */
final class CallDeadlines implements Runnable {
  private final ConcurrentLinkedQueue<Entry> pending = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean watched = new AtomicBoolean();
  private final TimeSource time;

  CallDeadlines(TimeSource time) {
    this.time = time;
  }

  /** A call that ends when its deadline has passed. */
  interface LateCall {
    /**
     * Returns whether this may end, as its deadline has passed; if not, {@code then} is run once it
     * may, by a thread that must not be kept.
     */
    default boolean mayEnd(Runnable then) {
      return true;
    }

    /** The deadline has passed; throws nothing. */
    void expire();
  }

  /** A call's place in the queue; the thread that takes the call out may complete it. */
  static final class Entry extends AtomicReference<@Nullable LateCall> {
    private static final long serialVersionUID = 1L;
    private final long deadlineNanos;

    Entry(LateCall call, long deadlineNanos) {
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
      time.at(entry.deadlineNanos, DaemonThreads.TIMER).execute(this);
    }
  }

  /** One look; for one thread. */
  @Override
  public void run() {
    do {
      endLate();
      Entry next = pending.peek();
      if (next != null) {
        time.at(next.deadlineNanos, DaemonThreads.TIMER).execute(this);
        return;
      }
      watched.set(false);
    } while (!pending.isEmpty() && watched.compareAndSet(false, true));
  }

  private void endLate() {
    long now = time.nanos();
    for (Entry first = pending.peek();
        first != null && (first.get() == null || now - first.deadlineNanos >= 0);
        first = pending.peek()) {
      pending.poll();
      end(first);
    }
  }

  /** Ends a call that is late. */
  void end(Entry entry) {
    LateCall late = entry.get();
    if (late != null && late.mayEnd(() -> DaemonThreads.TIMER.execute(() -> expire(late)))) {
      expire(late);
    }
  }

  private void expire(LateCall late) {
    try {
      DaemonThreads.LATE.execute(late::expire);
    } catch (Throwable noThread) {
      late.expire();
    }
  }
}
