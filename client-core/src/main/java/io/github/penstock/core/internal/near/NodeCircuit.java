package io.github.penstock.core.internal.near;

import io.github.penstock.core.internal.node.ClientNumbers;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * The circuit breaker of one node (rule F1). Safe for use by several threads, without a lock.
 *
 * <p>After {@value ClientNumbers#CIRCUIT_LOST_CALLS} calls in a row that got no answer at all the
 * circuit is open, and one call is sent each time that its length has passed. After an answer it is
 * half-open: the next {@value ClientNumbers#CIRCUIT_TRIAL_CALLS} are sent at once, and if they are
 * answered it is closed.
 */
final class NodeCircuit {
  private static final int TRIALS = (int) ClientNumbers.CIRCUIT_TRIAL_CALLS;
  private static final int LENGTHS = 10;
  private static final NodeState CLOSED = new NodeState(0, 0, 0, 0, false);

  private static final AtomicReferenceFieldUpdater<NodeCircuit, NodeState> STATE =
      AtomicReferenceFieldUpdater.newUpdater(NodeCircuit.class, NodeState.class, "state");

  private final long lengthNanos;
  private final TimeSource time;
  private volatile NodeState state = CLOSED;

  /**
   * The state of a node.
   *
   * @param lost calls in a row without an answer, while it is closed
   * @param nextNanos when one call may be sent, while it is open
   * @param trials calls that may be sent at once, while it is half-open
   * @param answers since it was opened
   */
  private record NodeState(int lost, long nextNanos, int trials, int answers, boolean open) {}

  NodeCircuit(long lengthNanos, TimeSource time) {
    this.lengthNanos = lengthNanos;
    this.time = time;
  }

  /** Returns whether a call may be sent. */
  boolean maySend() {
    while (true) {
      NodeState now = state;
      if (!now.open) {
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

  /** A call was answered, with any reply; returns whether that closed the circuit. */
  boolean answered() {
    while (true) {
      NodeState now = state;
      if (now.equals(CLOSED)) {
        return false;
      }
      boolean over = !now.open || now.answers == TRIALS;
      int trials = now.answers == 0 ? TRIALS : now.trials;
      NodeState after = over ? CLOSED : new NodeState(0, next(), trials, now.answers + 1, true);
      if (changed(now, after)) {
        return over && now.open;
      }
    }
  }

  /** A call got no answer at all; returns whether that opened the circuit. */
  boolean unanswered() {
    while (true) {
      NodeState now = state;
      if (now.open && now.answers == 0) {
        return false;
      }
      boolean begins = !now.open && now.lost + 1 >= ClientNumbers.CIRCUIT_LOST_CALLS;
      NodeState after =
          begins || now.open
              ? new NodeState(0, next(), 0, 0, true)
              : new NodeState(now.lost + 1, 0, 0, 0, false);
      if (changed(now, after)) {
        return begins;
      }
    }
  }

  /** Returns whether the circuit is open, or half-open. */
  boolean isOpen() {
    return state.open;
  }

  /** Returns whether a call would not be sent now; false for an idle node. */
  boolean keepsCalls() {
    NodeState now = state;
    return now.open && now.trials == 0 && now.nextNanos - time.nanos() > 0;
  }

  /** Returns whether a call might have asked {@value #LENGTHS} lengths ago, and none has since. */
  boolean isForgotten() {
    NodeState now = state;
    return now.open && time.nanos() - now.nextNanos > LENGTHS * lengthNanos;
  }

  private boolean changed(NodeState from, NodeState to) {
    return STATE.compareAndSet(this, from, to);
  }

  private long next() {
    double spread = ThreadLocalRandom.current().nextDouble() * ClientNumbers.CIRCUIT_SPREAD;
    return time.nanos() + lengthNanos - (long) (spread * lengthNanos);
  }
}
