package io.github.penstock.core.spi;

import io.github.penstock.core.MayHaveBeenChargedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The blocking port of an adapter whose client is asynchronous: waits for its stages, never longer
 * than a call's deadline. Safe for use by several threads.
 */
public final class AwaitingPort implements ScriptPort {
  private final AsyncScriptPort port;
  private final Duration loading;

  /**
   * Waits for {@code port}.
   *
   * @param loading how long loading functions may take
   */
  public AwaitingPort(AsyncScriptPort port, Duration loading) {
    this.port = port;
    this.loading = loading;
  }

  @Override
  public @Nullable Object send(ScriptCall call) {
    return await(port.send(call), call.deadlineNanos());
  }

  @Override
  public List<Reply> sendAll(List<ScriptCall> calls) {
    List<? extends CompletionStage<?>> stages = port.sendAll(calls);
    Reply[] replies = new Reply[calls.size()];
    // The last answer comes last, so this thread is woken once, and then finds the others there.
    for (int i = replies.length - 1; i >= 0; i--) {
      replies[i] = reply(stages.get(i), calls.get(i));
    }
    return List.of(replies);
  }

  @Override
  public @Nullable String serverError(Throwable failure) {
    return port.serverError(failure);
  }

  @Override
  public void loadFunctions(String library) {
    await(port.loadFunctions(library), System.nanoTime() + loading.toNanos());
  }

  private static Reply reply(CompletionStage<?> stage, ScriptCall call) {
    try {
      return Reply.of(await(stage, call.deadlineNanos()));
    } catch (RuntimeException e) {
      return Reply.failed(e);
    }
  }

  private static @Nullable Object await(CompletionStage<?> stage, long deadlineNanos) {
    Future<?> future = stage.toCompletableFuture();
    try {
      return future.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw unwrapped(e.getCause());
    } catch (TimeoutException e) {
      future.cancel(true);
      throw new MayHaveBeenChargedException(
          "no answer within the deadline, so this call may have been charged", e);
    } catch (InterruptedException e) {
      future.cancel(true);
      Thread.currentThread().interrupt();
      throw new MayHaveBeenChargedException(
          "interrupted before the answer came, so this call may have been charged", e);
    }
  }

  private static RuntimeException unwrapped(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof RuntimeException known ? known : new CompletionException(cause);
  }
}
