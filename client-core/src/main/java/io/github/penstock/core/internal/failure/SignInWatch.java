package io.github.penstock.core.internal.failure;

import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ServerError;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that refuse every login. A client may reconnect repeatedly meanwhile and only time out
 * its calls: until a node decides, that is not an outage. Safe for use by several threads.
 */
public final class SignInWatch {
  private static final Set<String> REFUSALS = Set.of("WRONGPASS", "NOAUTH");

  private final Function<ScriptCall, Object> nodes;
  private final ConcurrentMap<Object, ServerError> refusing = new ConcurrentHashMap<>();

  /**
   * Watches the nodes of a transport.
   *
   * @param nodes the node of a call
   */
  public SignInWatch(Function<ScriptCall, Object> nodes) {
    this.nodes = nodes;
  }

  /** A call failed for this error. */
  void failed(ScriptCall call, @Nullable ServerError error) {
    if (error != null && REFUSALS.contains(error.rule())) {
      refusing.put(nodes.apply(call), error);
    }
  }

  /** A call was decided. */
  void decided(ScriptCall call) {
    if (!refusing.isEmpty()) {
      refusing.remove(nodes.apply(call));
    }
  }

  /** The reason that the node of a call refuses logins; null if none is known. */
  @Nullable ServerError refusal(ScriptCall call) {
    return refusing.isEmpty() ? null : refusing.get(nodes.apply(call));
  }
}
