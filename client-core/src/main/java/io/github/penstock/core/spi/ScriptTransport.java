package io.github.penstock.core.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transport of a blocking adapter: it sends calls, and reports the meaning of its client's
 * exceptions. Encoding, decoding, falling back to EVAL and classifying failures are up to core.
 * Safe for use by several threads.
 *
 * <p>A transport sends each call at most once, except after an answer that proves that it did not
 * run (MOVED, ASK). It keeps the call's deadline: it waits no longer than {@link
 * ScriptCall#remainingNanos()}, whether or not its thread is interrupted. It sends a call to the
 * node that owns the key; only a {@link ScriptCall.Verb#readOnly() read-only} one may go to a
 * replica.
 */
public interface ScriptTransport extends CommonTransport {
  /**
   * Sends one call and returns the server's answer: a list of integers as a {@code java.util.List}
   * of {@code Long}, including nested lists, and any other value as the client represents it.
   *
   * @throws NotSentException if the call never left this process
   * @throws RuntimeException the client's own exception for any other failure, wrapped if it is
   *     checked
   */
  @Nullable Object send(ScriptCall call);

  /**
   * Sends calls together, in as few round trips as the client allows, and returns a reply for each,
   * in order. A failed call is a reply like the others, and does not affect them. What is written
   * before a reply is read must fit into a socket's buffers: a stopped server reads nothing.
   *
   * @param calls 1 to 10,000
   */
  List<TransportReply> sendAll(List<ScriptCall> calls);

  /**
   * Loads a Functions library on every master, replacing one of the same name.
   *
   * @param library the library's source
   */
  void loadFunctions(String library);
}
