package io.github.penstock.core.spi;

import org.jspecify.annotations.Nullable;

/** What a blocking and an asynchronous transport have in common. */
public interface CommonTransport {
  /**
   * Returns the meaning of one of the client's exceptions: the server's own text, or a kind.
   * Returns null for an unknown exception and for those of the JDK; core walks the causes, calls
   * this for each of them, and knows the JDK's.
   *
   * @param thrown one exception, not its causes
   */
  @Nullable TransportFailure failure(Throwable thrown);

  /**
   * Returns whether the client follows MOVED and ASK. Where it does not, a MOVED that is answered
   * means that a single server's address is one of a cluster's node.
   */
  default boolean followsRedirects() {
    return false;
  }

  /**
   * Returns whether calls of one key that are sent together are written to one connection, in
   * order. Else the second command of a shared trip is sent after the reply to the first, and calls
   * to a cluster do not share trips.
   */
  default boolean ordersCalls() {
    return false;
  }

  /**
   * The node that the call was for answered READONLY: drops its connection and makes a new one,
   * without waiting for it. Called at most once a second for each {@link #node node}. A connection
   * that belongs to the application is left as it is.
   */
  default void renew(ScriptCall call) {}

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
