package io.github.penstock.core.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The transport of an asynchronous adapter: {@link ScriptTransport} with stages. It has the same
 * duties, except that core ends the wait for the answer; the transport must bound connecting, the
 * handshake and its queue. Safe for use by several threads.
 *
 * <p>When the deadline of a call has passed or its caller has given up, core cancels its stage by
 * {@code toCompletableFuture().cancel(true)}, on a separate thread, so that a call that still waits
 * to be sent is never sent. So {@code toCompletableFuture()} must lead to the call itself, not to a
 * copy, and cancelling must not block. A stage that completes with {@link NotSentException} when it
 * is cancelled says that the call was not written and never will be; any other call may have been
 * charged. A stage without {@code toCompletableFuture()} is abandoned too, but not cancelled.
 *
 * <p>At most 100,000 calls are in flight to a node that is {@link #checksNodes checked}. A call
 * that finds a bound of the client full, or no place in time, fails with a {@link NotSentException}
 * that has a {@link java.util.concurrent.TimeoutException} among its causes: the check decides
 * whether that is an overload. Core keeps 45,000 calls that lack a connection.
 */
public interface AsyncScriptTransport extends CommonTransport {
  /**
   * Sends one call without blocking; the stage completes with the server's answer, as {@link
   * ScriptTransport#send} returns it, or with {@link NotSentException} if the call never left this
   * process, or with the client's own exception.
   */
  CompletionStage<? extends @Nullable Object> send(ScriptCall call);

  /**
   * Sends calls together, in as few round trips as the client allows, and returns a stage for each,
   * in order.
   *
   * @param calls 1 to 10,000
   */
  List<? extends CompletionStage<? extends @Nullable Object>> sendAll(List<ScriptCall> calls);

  /**
   * Loads a Functions library on every master, over one of the same name.
   *
   * @param library the library's source
   */
  CompletionStage<?> loadFunctions(String library);
}
