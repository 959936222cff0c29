package io.github.penstock.core.engine;

import io.github.penstock.core.failure.PortStages;
import io.github.penstock.core.spi.AsyncScriptPort;
import io.github.penstock.core.spi.PortFailure;
import io.github.penstock.core.spi.PortReply;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptPort;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The blocking port of an adapter whose client is asynchronous: waits for its stages, never longer
 * than a call's deadline. Loading functions has a time of its own. An interrupt ends no wait: the
 * call may have been charged, and the deadline is near; the thread stays interrupted.
 *
 * <p>Blocking limiters must not be called on the client's own event loop: they would wait there,
 * until the deadline, for an answer that only this thread can read. Safe for use by several
 * threads.
 */
final class AwaitingPort implements ScriptPort {
  private final AsyncScriptPort port;
  private final Duration loading;

  /**
   * Waits for {@code port}.
   *
   * @param loading how long loading functions may take
   */
  AwaitingPort(AsyncScriptPort port, Duration loading) {
    this.port = port;
    this.loading = loading;
  }

  @Override
  public @Nullable Object send(ScriptCall call) {
    return await(port.send(call), call.deadlineNanos());
  }

  @Override
  public List<PortReply> sendAll(List<ScriptCall> calls) {
    List<? extends CompletionStage<?>> stages = port.sendAll(calls);
    PortReply[] replies = new PortReply[calls.size()];
    // The last answer comes last, so this thread is woken once, and then finds the others there.
    for (int i = replies.length - 1; i >= 0; i--) {
      replies[i] = reply(stages.get(i), calls.get(i));
    }
    return List.of(replies);
  }

  @Override
  public @Nullable PortFailure failure(Throwable thrown) {
    return port.failure(thrown);
  }

  @Override
  public boolean followsRedirects() {
    return port.followsRedirects();
  }

  @Override
  public void renew(ScriptCall call) {
    port.renew(call);
  }

  @Override
  public @Nullable Object node(ScriptCall call) {
    return port.node(call);
  }

  @Override
  public void loadFunctions(String library) {
    await(port.loadFunctions(library), System.nanoTime() + loading.toNanos());
  }

  private static PortReply reply(CompletionStage<?> stage, ScriptCall call) {
    try {
      return PortReply.of(await(stage, call.deadlineNanos()));
    } catch (RuntimeException e) {
      return PortReply.failed(e);
    }
  }

  private static @Nullable Object await(CompletionStage<?> stage, long deadlineNanos) {
    CompletableFuture<?> future = PortStages.future(stage);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw PortStages.failure(e);
    } catch (TimeoutException e) {
      throw late(future);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException late(CompletableFuture<?> future) {
    future.cancel(true);
    return PortStages.late(future);
  }
}
