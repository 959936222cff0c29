package io.github.penstock.core.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The transport of an adapter: it sends calls, and reports the meaning of its client's exceptions.
 * Encoding, decoding, falling back to EVAL and classifying failures are up to core. Safe for use by
 * several threads.
 *
 * <p>A transport sends each call at most once, except after an answer that proves that it did not
 * run (MOVED, ASK). It sends a call to the node that owns the key; only a {@link
 * ScriptCall.Verb#readOnly() read-only} one may go to a replica.
 *
 * <p>A stage completes with the server's answer: a list of integers as a {@code java.util.List} of
 * {@code Long}, including nested lists, and any other value as the client represents it. Or it
 * completes with {@link NotSentException} if the call never left this process, or with the client's
 * own exception, wrapped if it is checked. A method may throw these exceptions instead.
 *
 * <p><b>A blocking client's</b> stages are complete when they are returned. The transport keeps the
 * call's deadline: it waits no longer than {@link ScriptCall#remainingNanos()}, whether or not its
 * thread is interrupted. What is written before a reply is read must fit into a socket's buffers: a
 * stopped server reads nothing.
 *
 * <p><b>An asynchronous client's</b> transport never blocks. Core ends the wait for the answer; the
 * transport must bound connecting, the handshake and its queue. When the deadline of a call has
 * passed or its caller has given up, core cancels its stage by {@code
 * toCompletableFuture().cancel(true)}, on a separate thread, so that a call that still waits to be
 * sent is never sent. So {@code toCompletableFuture()} must lead to the call itself, not to a copy,
 * and cancelling must not block. A stage that completes with {@link NotSentException} when it is
 * cancelled says that the call was not written and never will be; any other call may have been
 * charged. A stage without {@code toCompletableFuture()} is abandoned too, but not cancelled.
 *
 * <p>At most 100,000 calls are in flight to a node that is {@link #checksNodes checked}. A call
 * that finds a bound of the client full, or no place in time, fails with a {@link NotSentException}
 * that has a {@link java.util.concurrent.TimeoutException} among its causes: the check decides
 * whether that is an overload. Core keeps 45,000 calls that lack a connection.
 */
public interface ScriptTransport {
  /** Sends one call. */
  CompletionStage<? extends @Nullable Object> send(ScriptCall call);

  /**
   * Sends calls together, in as few round trips as the client allows, and returns a stage for each,
   * in order. A failed call does not affect the others.
   *
   * @param calls 1 to 10,000
   */
  List<? extends CompletionStage<? extends @Nullable Object>> sendAll(List<ScriptCall> calls);

  /**
   * Loads a Functions library on every master, replacing one of the same name.
   *
   * @param library the library's source
   */
  CompletionStage<?> loadFunctions(String library);

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
   * Returns whether the client would open a connection for a call. While the server does not answer
   * a check, core sends such a call only after another answer (rule F2.9). Must not wait.
   *
   * @param silent whether the server is known not to answer; what a client says that does not tell
   *     whether it has a free connection
   */
  default boolean opens(ScriptCall call, boolean silent) {
    return false;
  }

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
