package io.github.penstock.core.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The port of a blocking adapter: it sends calls, and returns the server's error text for a
 * failure. Encoding, decoding, falling back to EVAL and judging failures are up to core. Safe for
 * use by several threads.
 *
 * <p>A port sends each call at most once, except after an answer that proves that it did not run
 * (MOVED, ASK). It keeps the call's deadline: what it waits for, it waits for no longer than {@link
 * ScriptCall#remainingNanos()}, whether or not its thread is interrupted. It sends a call to the
 * node that owns the key; only a {@link ScriptCall.Verb#readOnly() read-only} one may go to a
 * replica.
 */
public interface ScriptPort {
  /**
   * Sends one call and returns the server's answer: a list of integers as a {@code java.util.List}
   * of {@code Long}, nested ones too, and whatever else came as the client has it.
   *
   * @throws NotSentException if the call never left this process
   * @throws RuntimeException the client's own exception for any other failure, wrapped if it is
   *     checked
   */
  @Nullable Object send(ScriptCall call);

  /**
   * Sends calls together, in as few trips as the client can, and returns a reply for each, in
   * order. A failed call is a reply like the others, and does not affect them.
   */
  List<PortReply> sendAll(List<ScriptCall> calls);

  /**
   * The server's error text if {@code failure} is an error that the server answered, otherwise
   * null.
   *
   * @param failure as the port gave it, without the {@link NotSentException} or {@link
   *     java.util.concurrent.CompletionException} around it
   */
  @Nullable String serverError(Throwable failure);

  /**
   * Loads a Functions library on every master, replacing one of the same name.
   *
   * @param library the library's source
   */
  void loadFunctions(String library);

  /**
   * Returns the node that a call would go to now, as any object that is equal for calls to the same
   * node, or null if it is not known: then no node is ever left alone ({@link
   * io.github.penstock.core.RateLimiterOptions#pauseWhenUnavailable}). Must not ask a server or
   * wait.
   */
  default @Nullable Object node(ScriptCall call) {
    return null;
  }
}
