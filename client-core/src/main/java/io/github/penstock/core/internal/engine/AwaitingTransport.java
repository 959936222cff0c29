package io.github.penstock.core.internal.engine;

import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.failure.WrappedTransport;
import io.github.penstock.core.spi.AsyncScriptTransport;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportReply;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The blocking transport of an adapter whose client is asynchronous: waits for its stages, never
 * longer than a call's deadline. Loading functions has a separate time limit. An interrupt ends no
 * wait: the call may have been charged, and the deadline is near; the thread stays interrupted.
 *
 * <p>Blocking limiters must not be called on the client's own event loop: they would wait there,
 * until the deadline, for an answer that only this thread can read. Safe for use by several
 * threads.
 */
public final class AwaitingTransport extends WrappedTransport<AsyncScriptTransport>
    implements ScriptTransport {
  private final Duration loading;
  private final TimeSource time;

  /**
   * Waits for {@code transport}.
   *
   * @param loading how long loading functions may take
   * @param time the clock of waits
   */
  public AwaitingTransport(AsyncScriptTransport transport, Duration loading, TimeSource time) {
    super(transport);
    this.loading = loading;
    this.time = time;
  }

  /** The transport whose stages this waits for. */
  public AsyncScriptTransport awaited() {
    return transport;
  }

  @Override
  public @Nullable Object send(ScriptCall call) {
    return await(transport.send(call), call.deadlineNanos());
  }

  @Override
  public List<TransportReply> sendAll(List<ScriptCall> calls) {
    List<? extends CompletionStage<?>> stages = transport.sendAll(calls);
    TransportReply[] replies = new TransportReply[calls.size()];
    // The last answer comes last, so this thread is woken once, and then finds the others there.
    for (int i = replies.length - 1; i >= 0; i--) {
      replies[i] = reply(stages.get(i), calls.get(i));
    }
    return List.of(replies);
  }

  @Override
  public void loadFunctions(String library) {
    await(transport.loadFunctions(library), time.nanos() + loading.toNanos());
  }

  private TransportReply reply(CompletionStage<?> stage, ScriptCall call) {
    try {
      return TransportReply.of(await(stage, call.deadlineNanos()));
    } catch (RuntimeException e) {
      return TransportReply.failed(e);
    }
  }

  private @Nullable Object await(CompletionStage<?> stage, long deadlineNanos) {
    CompletableFuture<?> future = TransportStages.future(stage);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          if (time.await(future, deadlineNanos)) {
            return future.get();
          }
          throw late(future);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw TransportStages.failure(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException late(CompletableFuture<?> future) {
    future.cancel(true);
    return TransportStages.late(future);
  }
}
