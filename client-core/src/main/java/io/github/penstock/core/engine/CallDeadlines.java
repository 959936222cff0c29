package io.github.penstock.core.engine;

import io.github.penstock.core.time.TimeSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Ends asynchronous calls whose deadline has passed. Safe for use by several threads.
 *
 * <p>All calls of one limiters object have the same deadline, so they expire in the order in which
 * they begin: a queue is enough, without a timer's heap and its lock. A call that has its answer
 * empties its entry, which stays in the queue, some 50 bytes, until the next look. A check drops
 * those, ends late calls, and schedules the next check for the first of the rest. A call that is
 * late ends once all that had come by its deadline has been read, its own answer perhaps.
 *
 * <p>Late calls are completed by other threads, {@value #COMPLETING} at most, because code that
 * depends on a call may block although it must not, and would then delay all deadlines. Only if all
 * of these threads are blocked is the one that looks blocked, too.
 */
final class CallDeadlines implements Runnable {
  private static final int COMPLETING = 16;
  private static final long READING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Executor completing =
      new ThreadPoolExecutor(
          0,
          COMPLETING,
          1,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          work -> daemon(work, "penstock-late"),
          new ThreadPoolExecutor.CallerRunsPolicy());
  private final ThreadPoolExecutor looking =
      new ThreadPoolExecutor(
          1,
          1,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          work -> daemon(work, "penstock-deadlines"));
  private final ConcurrentLinkedQueue<Entry> pending = new ConcurrentLinkedQueue<>();
  private final Queue<Entry> unread = new ArrayDeque<>();
  private final AtomicBoolean watched = new AtomicBoolean();
  private final LongPredicate reading;
  private final TimeSource time;

  /**
   * Of the calls through one transport.
   *
   * @param reading whether all that had come until a time of the clock is read
   * @param time the clock
   */
  CallDeadlines(LongPredicate reading, TimeSource time) {
    this.reading = reading;
    this.time = time;
    looking.allowCoreThreadTimeOut(true);
  }

  /** A call that ends when its deadline has passed. */
  interface LateCall {
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
      time.at(entry.deadlineNanos, looking).execute(this);
    }
  }

  /** One look; for one thread. */
  @Override
  public void run() {
    do {
      takeLate();
      endRead();
      Entry next = pending.peek();
      if (next != null || !unread.isEmpty()) {
        long soon = time.nanos() + READING_NANOS;
        boolean reads = next == null || !unread.isEmpty() && soon - next.deadlineNanos < 0;
        time.at(reads ? soon : next.deadlineNanos, looking).execute(this);
        return;
      }
      watched.set(false);
    } while (!pending.isEmpty() && watched.compareAndSet(false, true));
  }

  private void takeLate() {
    long now = time.nanos();
    for (Entry first = pending.peek();
        first != null && (first.get() == null || now - first.deadlineNanos >= 0);
        first = pending.peek()) {
      pending.poll();
      if (first.get() != null) {
        unread.add(first);
      }
    }
  }

  private void endRead() {
    for (Entry first = unread.peek(); first != null; first = unread.peek()) {
      LateCall late = first.get();
      if (late != null && !reading.test(first.deadlineNanos)) {
        return;
      }
      unread.poll();
      if (late != null) {
        expire(late);
      }
    }
  }

  private void expire(LateCall late) {
    try {
      completing.execute(late::expire);
    } catch (Throwable noThread) {
      late.expire();
    }
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }
}
