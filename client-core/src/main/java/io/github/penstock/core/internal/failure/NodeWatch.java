package io.github.penstock.core.internal.failure;

import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.Objects;
import java.util.function.Function;

/**
 * The earlier answers of a transport's nodes, on which the meaning of a later failure depends. Safe
 * for use by several threads.
 *
 * @param replicas the nodes that answer READONLY
 * @param signIns the nodes that refuse every login
 */
public record NodeWatch(ReplicaWatch replicas, SignInWatch signIns) {
  private static final Object UNKNOWN_NODE = new Object();

  /** Watches the nodes of this transport; those that it does not know are one. */
  public static NodeWatch of(ScriptTransport transport, TimeSource time) {
    Function<ScriptCall, Object> nodes =
        call -> Objects.requireNonNullElse(transport.node(call), UNKNOWN_NODE);
    return new NodeWatch(
        new ReplicaWatch(nodes, transport::renew, time::nanos), new SignInWatch(nodes));
  }

  /** A call was decided. */
  public void decided(ScriptCall call, boolean allowed) {
    signIns.decided(call);
    if (allowed) {
      replicas.written(call);
    }
  }
}
