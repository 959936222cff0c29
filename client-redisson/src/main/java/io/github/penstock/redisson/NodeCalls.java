package io.github.penstock.redisson;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The calls to one node: as many as Redisson has connections are in its hands, the others wait
 * here, the oldest first. Safe for use by several threads.
 *
 * <p>Redisson's own queue is unbounded, has a lock that stalls a thousand threads, and does not
 * report whether a call has left it. A call that has waited for half its time is given up when its
 * turn comes, since its answer would come after its deadline, and so would those of all behind it.
 */
final class NodeCalls {
  private final int most;
  private final long deadlineNanos;
  private final AtomicInteger inside = new AtomicInteger();
  private final Queue<PendingCall> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger turns = new AtomicInteger();

  /**
   * The calls to one node.
   *
   * @param most how many Redisson gets at a time
   */
  NodeCalls(int most, Duration deadline) {
    this.most = most;
    deadlineNanos = deadline.toNanos();
  }

  /** Hands a call to Redisson, now or at its turn. */
  void send(PendingCall call) {
    if (waiting.isEmpty() && enters()) {
      call.hand();
      return;
    }
    waiting.add(call);
    handNext();
  }

  /** A call of a batch, which goes whether or not there is a connection, is in Redisson's hands. */
  void enter() {
    inside.incrementAndGet();
  }

  /**
   * A call that Redisson had is over: noted before its caller knows, because the caller may make
   * the next calls at once; {@link #handOn} follows.
   */
  void ended() {
    inside.decrementAndGet();
  }

  /** There may be room for those that wait. */
  void handOn() {
    if (!waiting.isEmpty()) {
      handNext();
    }
  }

  private boolean enters() {
    if (inside.incrementAndGet() <= most) {
      return true;
    }
    inside.decrementAndGet();
    return false;
  }

  /* By one thread at a time, which also serves those that arrive meanwhile. */
  private void handNext() {
    if (turns.getAndIncrement() != 0) {
      return;
    }
    int seen;
    do {
      seen = turns.get();
      while (!waiting.isEmpty() && enters()) {
        PendingCall next = nextInTime();
        if (next == null) {
          inside.decrementAndGet();
        } else {
          next.hand();
        }
      }
    } while (turns.addAndGet(-seen) != 0);
  }

  private @Nullable PendingCall nextInTime() {
    long earliest = System.nanoTime() - deadlineNanos / 2;
    PendingCall next = waiting.poll();
    while (next != null && (next.isDone() || next.began() - earliest < 0)) {
      next.giveUp();
      next = waiting.poll();
    }
    return next;
  }
}
