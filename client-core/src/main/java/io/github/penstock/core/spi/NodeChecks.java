package io.github.penstock.core.spi;

import org.jspecify.annotations.Nullable;

/** The nodes of a transport, and the connections for the check whether they answer. */
public interface NodeChecks {
  /**
   * Returns the node that a call would go to now, as any object that is equal for calls to the same
   * node, or null if it is not known: then it has no circuit breaker ({@link
   * io.github.penstock.core.RateLimiterOptions#circuitBreaker}). Must not contact a server or wait.
   */
  default @Nullable Object node(ScriptCall call) {
    return null;
  }

  /**
   * Returns whether {@link #openCheck} opens connections for the check now; asked before each call.
   */
  default boolean checksNodes() {
    return false;
  }

  /**
   * Opens a connection for the check to the node that a call would go to now, as the client opens
   * its own: with its address, credentials, database and TLS. May block; core calls it on a thread
   * of its own, and gives up after 5 s.
   *
   * @throws RuntimeException the client's own exception if that fails
   */
  default CheckConnection openCheck(ScriptCall call) {
    throw new UnsupportedOperationException("this transport has no connection for the check");
  }
}
