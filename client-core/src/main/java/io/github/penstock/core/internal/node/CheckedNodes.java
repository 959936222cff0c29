package io.github.penstock.core.internal.node;

import io.github.penstock.core.spi.NodeChecks;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The verdicts on the nodes of a transport: whether a late call is an outage or an overload (rule
 * F2 of {@code docs/protocol.md}). Safe for use by several threads.
 */
public final class CheckedNodes {
  private static final Object UNKNOWN_NODE = "the server";

  private final NodeChecks transport;
  private final TimeSource time;
  private final CheckMeanings meanings;
  private final VerdictListener listener;
  private final Map<Object, CheckedNode> nodes = new ConcurrentHashMap<>();

  /** The nodes of a transport that has connections for the check. */
  public CheckedNodes(
      NodeChecks transport, TimeSource time, CheckMeanings meanings, VerdictListener listener) {
    this.transport = transport;
    this.time = time;
    this.meanings = meanings;
    this.listener = listener;
  }

  /** Begins a call; it must be ended. */
  public TimedCall begin(ScriptCall call) {
    return nodes
        .computeIfAbsent(
            name(call),
            name -> new CheckedNode(name, transport::openCheck, meanings, listener, time))
        .begin(call);
  }

  /** The node of a call; all nodes that the transport does not know are one. */
  public Object name(ScriptCall call) {
    return Objects.requireNonNullElse(transport.node(call), UNKNOWN_NODE);
  }

  /** Closes the connections for the check. */
  public void close() {
    nodes.values().forEach(CheckedNode::close);
  }
}
