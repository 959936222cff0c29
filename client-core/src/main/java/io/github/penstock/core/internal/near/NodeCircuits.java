package io.github.penstock.core.internal.near;

import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The circuit breakers of all nodes (rule F1). Safe for use by several threads. */
public final class NodeCircuits {
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
    return nodes.computeIfAbsent(node, none -> new NodeCircuit(lengthNanos, time)).unanswered();
  }

  /** Returns whether the circuit of a node is open, or half-open. */
  public boolean isOpen(Object node) {
    NodeCircuit circuit = nodes.get(node);
    return circuit != null && circuit.isOpen();
  }

  /** Forgets a node that another one has replaced; returns whether that closed its circuit. */
  public boolean replaced(Object node) {
    NodeCircuit circuit = nodes.remove(node);
    return circuit != null && circuit.isOpen();
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
}
