package io.github.penstock.core.spi;

import org.jspecify.annotations.Nullable;

/** What a blocking and an asynchronous transport have in common. */
public interface CommonTransport extends NodeChecks {
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
}
