package io.github.penstock.core.failure;

import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ServerError;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that let nobody sign in. A client may connect again and again meanwhile, and tell its
 * calls no more than that they were late: until a node decides, that is no outage. Safe for use by
 * several threads.
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

  /** Why the node of a call lets nobody sign in; null if it is not known to. */
  @Nullable ServerError refusal(ScriptCall call) {
    return refusing.isEmpty() ? null : refusing.get(nodes.apply(call));
  }
}
