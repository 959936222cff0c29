package io.github.penstock.core.internal.near;

import io.github.penstock.core.internal.node.ClientNumbers;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breakers of all nodes (rule F1). Safe for use by several threads, without a lock.
 *
 * <p>After {@value ClientNumbers#CIRCUIT_LOST_CALLS} calls in a row that got no answer at all the
 * circuit is open, and one call is sent each time that its length has passed. After an answer it is
 * half-open: the next {@value ClientNumbers#CIRCUIT_TRIAL_CALLS} are sent at once, and if they are
 * answered it is closed.
 */
public final class NodeCircuits {
  private static final int TRIALS = (int) ClientNumbers.CIRCUIT_TRIAL_CALLS;
  private static final int LENGTHS = 10;
  private static final NodeState CLOSED = new NodeState(0, 0, 0, 0, false);

  private static final AtomicReferenceFieldUpdater<NodeCircuit, NodeState> STATE =
      AtomicReferenceFieldUpdater.newUpdater(NodeCircuit.class, NodeState.class, "state");

  private final ConcurrentMap<Object, NodeCircuit> nodes = new ConcurrentHashMap<>();
  private final long lengthNanos;
  private final TimeSource time;

  /** Circuits that stay open for this time. */
  public NodeCircuits(Duration length, TimeSource time) {
    lengthNanos = length.toNanos();
    this.time = time;
  }

  /** Returns whether a call may be sent to a node. */
  public boolean maySend(Object node) {
    NodeCircuit circuit = nodes.get(node);
    return circuit == null || circuit.maySend();
  }

  /** A node has answered; returns whether that closed its circuit. */
  public boolean answered(Object node) {
    NodeCircuit circuit = nodes.get(node);
    return circuit != null && circuit.answered();
  }

  /** A node has not answered at all; returns whether that opened the circuit. */
  public boolean unanswered(Object node) {
    return nodes.computeIfAbsent(node, none -> new NodeCircuit()).unanswered();
  }

  /** Returns whether the circuit of a node is open, or half-open. */
  public boolean isOpen(Object node) {
    NodeCircuit circuit = nodes.get(node);
    return circuit != null && circuit.state.open;
  }

  /** Forgets a node that another one has replaced; returns whether that closed its circuit. */
  public boolean replaced(Object node) {
    NodeCircuit circuit = nodes.remove(node);
    return circuit != null && circuit.state.open;
  }

  /**
   * Closes the circuit of a node that has been idle for long, because another one has taken its
   * place. Returns the node, or null if it is unknown.
   */
  public @Nullable Object forgotten() {
    for (Map.Entry<Object, NodeCircuit> each : nodes.entrySet()) {
      if (each.getValue().isForgotten() && nodes.remove(each.getKey(), each.getValue())) {
        return each.getKey();
      }
    }
    return null;
  }

  /** Returns how many nodes get no calls at the moment. */
  public int open() {
    return (int) nodes.values().stream().filter(NodeCircuit::keepsCalls).count();
  }

  /**
   * The state of a node.
   *
   * @param lost calls in a row without an answer, while it is closed
   * @param nextNanos when one call may be sent, while it is open
   * @param trials calls that may be sent at once, while it is half-open
   * @param answers since it was opened
   */
  private record NodeState(int lost, long nextNanos, int trials, int answers, boolean open) {}

  private final class NodeCircuit {
    private volatile NodeState state = CLOSED;

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

    /** Returns whether a call would not be sent now; false for an idle node. */
    boolean keepsCalls() {
      NodeState now = state;
      return now.open && now.trials == 0 && now.nextNanos - time.nanos() > 0;
    }

    /**
     * Returns whether a call might have asked {@value #LENGTHS} lengths ago, and none has since.
     */
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
}
