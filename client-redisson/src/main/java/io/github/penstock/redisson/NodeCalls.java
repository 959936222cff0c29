package io.github.penstock.redisson;

import io.github.penstock.core.spi.AnswerWatch;
import io.github.penstock.core.spi.BusyNodeException;
import io.github.penstock.core.spi.EventLoopWatch;
import io.github.penstock.core.spi.NotSentException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisException;

/**
 * The calls to one node, at most 16,384: as many as Redisson has connections are in its hands, the
 * others wait here, the oldest first. Safe for use by several threads.
 *
 * <p>Redisson's own queue is unbounded, has a lock that stalls a thousand threads, and does not
 * report whether a call has left it. A call that has waited for half its time is given up when its
 * turn comes, since its answer would come after its deadline, and so would those of all behind it.
 */
final class NodeCalls {
  private static final int MOST = 16_384;
  private final int most;
  private final long deadlineNanos;
  private final EventLoopWatch loops;
  private final AnswerWatch watch;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicLong answers = new AtomicLong();
  private final Queue<PendingCall> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waitingCalls = new AtomicInteger();
  private final AtomicInteger turns = new AtomicInteger();
  private volatile long unansweredNanos;

  /**
   * The calls to one node.
   *
   * @param most how many Redisson gets at a time
   * @param loops the event loops that read the answers
   */
  NodeCalls(int most, Duration deadline, EventLoopWatch loops) {
    this.most = Math.min(most, MOST);
    deadlineNanos = deadline.toNanos();
    unansweredNanos = System.nanoTime() - deadlineNanos;
    this.loops = loops;
    watch = new AnswerWatch(deadline, loops);
  }

  /**
   * Hands a call to Redisson, now or at its turn.
   *
   * @throws NotSentException if too many wait already
   */
  void send(PendingCall call) {
    requirePlace();
    if (waiting.isEmpty() && enters()) {
      call.hand();
      return;
    }
    waitingCalls.incrementAndGet();
    waiting.add(call);
    handNext();
  }

  /**
   * Notes that a call, or a batch, is about to be sent.
   *
   * @throws NotSentException if too many wait already
   */
  void requirePlace() {
    int calls = inside.get() + waitingCalls.get();
    watch.sending(answers.get(), calls == 0 && !owesAnAnswer());
    if (calls >= MOST) {
      throw full(new RedisException("more than " + MOST + " calls wait for an answer"));
    }
  }

  /** A call of a batch, which goes whether or not there is a connection, is in Redisson's hands. */
  void enter() {
    inside.incrementAndGet();
  }

  /**
   * A call that Redisson had is over: noted before its caller knows, because the caller may make
   * the next calls at once; {@link #handOn} follows.
   */
  void ended(boolean answered) {
    if (answered) {
      answers.incrementAndGet();
      if (!waiting.isEmpty()) {
        watch.answeredAmongMany();
      }
    } else {
      unansweredNanos = System.nanoTime();
    }
    inside.decrementAndGet();
  }

  /*
   * A call that was abandoned just now is still owed its answer, although Redisson does not report
   * it.
   */
  private boolean owesAnAnswer() {
    return System.nanoTime() - unansweredNanos < deadlineNanos;
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
      waitingCalls.decrementAndGet();
      next.giveUp();
      next = waiting.poll();
    }
    if (next != null) {
      waitingCalls.decrementAndGet();
    }
    return next;
  }

  /** The failure of a call that was sent and is late; null if its node is not only busy. */
  @Nullable BusyNodeException busy() {
    int before = waitingCalls.get();
    return before > 0 || loops.isBehind() ? watch.busy(inside.get() + before) : null;
  }

  /** The failure of a call that found something full. */
  NotSentException full(RuntimeException reason) {
    return watch.full(answers::get, reason);
  }
}
