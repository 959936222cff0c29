package io.github.penstock.core.near;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The pauses of all nodes (rule F1). Safe for use by several threads. */
public final class NodePauses {
  private final ConcurrentMap<Object, NodePause> nodes = new ConcurrentHashMap<>();
  private final long lengthNanos;
  private final TimeSource time;

  /** Pauses of this length. */
  public NodePauses(Duration length, TimeSource time) {
    lengthNanos = length.toNanos();
    this.time = time;
  }

  /** Returns whether a call may be sent to a node. */
  public boolean mayAsk(Object node) {
    NodePause pause = nodes.get(node);
    return pause == null || pause.mayAsk();
  }

  /** A node has answered; returns whether that ended its pause. */
  public boolean answered(Object node) {
    NodePause pause = nodes.get(node);
    return pause != null && pause.answered();
  }

  /** A node has not answered at all; returns whether that began a pause. */
  public boolean unanswered(Object node) {
    return nodes.computeIfAbsent(node, none -> new NodePause(lengthNanos, time)).unanswered();
  }

  /** Returns whether a node is in a pause. */
  public boolean isPaused(Object node) {
    NodePause pause = nodes.get(node);
    return pause != null && pause.isPaused();
  }

  /** Forgets a node that another one stands in for; returns whether that ended its pause. */
  public boolean replaced(Object node) {
    NodePause pause = nodes.remove(node);
    return pause != null && pause.isPaused();
  }

  /**
   * Ends the pause of a node that nobody has asked for long, as no call is for it any more: another
   * one has taken its place. Returns the node, or null if there is none.
   */
  public @Nullable Object forgotten() {
    for (Map.Entry<Object, NodePause> each : nodes.entrySet()) {
      if (each.getValue().isForgotten() && nodes.remove(each.getKey(), each.getValue())) {
        return each.getKey();
      }
    }
    return null;
  }

  /** Returns how many nodes are left alone at the moment. */
  public int paused() {
    return (int) nodes.values().stream().filter(NodePause::isLeftAlone).count();
  }
}
