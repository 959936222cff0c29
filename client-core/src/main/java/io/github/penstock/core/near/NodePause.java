package io.github.penstock.core.near;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Whether a node is asked (rule F1). Safe for use by several threads, without a lock.
 *
 * <p>After {@value #LOST} calls in a row that got no answer at all there is a pause, in which one
 * call asks each time that its length has passed. After an answer the next {@value #TRIALS} ask at
 * once, and if they are answered the pause is over.
 */
final class NodePause {
  private static final int LOST = 5;
  private static final int TRIALS = 2;
  private static final int LENGTHS = 10;
  private static final NodeState ASKED = new NodeState(0, 0, 0, 0, false);

  private static final AtomicReferenceFieldUpdater<NodePause, NodeState> STATE =
      AtomicReferenceFieldUpdater.newUpdater(NodePause.class, NodeState.class, "state");

  private final long lengthNanos;
  private final TimeSource time;
  private volatile NodeState state = ASKED;

  /**
   * The state of a node.
   *
   * @param lost calls in a row without an answer, while there is no pause
   * @param nextNanos when one call may ask, in a pause
   * @param trials calls that may ask at once, in a pause
   * @param answers that came since the first of a pause
   */
  private record NodeState(int lost, long nextNanos, int trials, int answers, boolean paused) {}

  NodePause(long lengthNanos, TimeSource time) {
    this.lengthNanos = lengthNanos;
    this.time = time;
  }

  /** Returns whether a call may be sent. */
  boolean mayAsk() {
    while (true) {
      NodeState now = state;
      if (!now.paused) {
        return true;
      }
      boolean trial = now.trials > 0;
      if (!trial && now.nextNanos - time.nanos() > 0) {
        return false;
      }
      int trials = trial ? now.trials - 1 : 0;
      if (changed(now, new NodeState(0, next(), trials, now.answers, true))) {
        return true;
      }
    }
  }

  /** A call was answered, whatever the answer; returns whether that ended a pause. */
  boolean answered() {
    while (true) {
      NodeState now = state;
      if (now.equals(ASKED)) {
        return false;
      }
      boolean over = !now.paused || now.answers == TRIALS;
      int trials = now.answers == 0 ? TRIALS : now.trials;
      NodeState after = over ? ASKED : new NodeState(0, next(), trials, now.answers + 1, true);
      if (changed(now, after)) {
        return over && now.paused;
      }
    }
  }

  /** A call got no answer at all; returns whether that began a pause. */
  boolean unanswered() {
    while (true) {
      NodeState now = state;
      if (now.paused && now.answers == 0) {
        return false;
      }
      boolean begins = !now.paused && now.lost + 1 >= LOST;
      NodeState after =
          begins || now.paused
              ? new NodeState(0, next(), 0, 0, true)
              : new NodeState(now.lost + 1, 0, 0, 0, false);
      if (changed(now, after)) {
        return begins;
      }
    }
  }

  /** Returns whether there is a pause. */
  boolean isPaused() {
    return state.paused;
  }

  /** Returns whether a call would not be sent now; false for a node that nobody asks any more. */
  boolean isLeftAlone() {
    NodeState now = state;
    return now.paused && now.trials == 0 && now.nextNanos - time.nanos() > 0;
  }

  /** Returns whether a call might have asked {@value #LENGTHS} lengths ago, and none has since. */
  boolean isForgotten() {
    NodeState now = state;
    return now.paused && time.nanos() - now.nextNanos > LENGTHS * lengthNanos;
  }

  private boolean changed(NodeState from, NodeState to) {
    return STATE.compareAndSet(this, from, to);
  }

  /* Between nine tenths of the length and the whole of it, so that processes do not ask together. */
  private long next() {
    long random = ThreadLocalRandom.current().nextLong(lengthNanos / 10 + 1);
    return time.nanos() + lengthNanos - random;
  }
}
