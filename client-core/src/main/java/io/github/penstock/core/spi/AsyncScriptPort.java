package io.github.penstock.core.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What an asynchronous adapter fills: {@link ScriptPort} with stages, and with the same duties
 * except the deadline. Core completes a call whose deadline has passed and then cancels the port's
 * stage, so that a call that still waits to be sent never is. Safe for use by several threads.
 *
 * <p>It queues nothing without a bound: at most 65,536 calls wait for a server that does not
 * answer, and one more fails at once with {@link NotSentException}.
 */
public interface AsyncScriptPort {
  /**
   * Sends one call without blocking; the stage completes with the server's answer as the client has
   * it, or with {@link NotSentException} if the call never left this process, or with the client's
   * own exception.
   */
  CompletionStage<? extends @Nullable Object> send(ScriptCall call);

  /** Sends calls together, with one flush, and returns a stage for each, in order. */
  List<? extends CompletionStage<? extends @Nullable Object>> sendAll(List<ScriptCall> calls);

  /**
   * The server's error text if {@code failure} is an error that the server answered, otherwise
   * null.
   */
  @Nullable String serverError(Throwable failure);

  /**
   * Loads a Functions library on every master, over one of the same name.
   *
   * @param library the library's source
   */
  CompletionStage<?> loadFunctions(String library);
}
