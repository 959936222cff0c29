package io.github.penstock.core.internal.engine;

import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.internal.failure.FailureClassifier;
import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.plan.CallDriver;
import io.github.penstock.core.internal.plan.ReplyReader;
import io.github.penstock.core.internal.waiting.ConnectionQueue;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous calls through one transport, with their deadlines: the state that all of them share,
 * so that a call holds one reference to it. Safe for use by several threads.
 */
public final class AsyncCalls {
  final ScriptTransport transport;
  final FailureClassifier failures;
  final LateCalls late;
  final ConnectionQueue connections;
  final TimeSource time;
  private final @Nullable Executor completing;
  private final CallDeadlines deadlines;

  /**
   * Calls through {@code transport}. Their stages complete at {@code completing}, or in the thread
   * that has the outcome if that is null, or refuses them.
   */
  public AsyncCalls(
      ScriptTransport transport,
      FailureClassifier failures,
      LateCalls late,
      ConnectionQueue connections,
      TimeSource time,
      @Nullable Executor completing) {
    this.transport = transport;
    this.failures = failures;
    this.late = late;
    this.connections = connections;
    this.time = time;
    this.completing = completing == null ? null : orHere(completing);
    deadlines = new CallDeadlines(time);
  }

  private static Executor orHere(Executor executor) {
    return task -> {
      try {
        executor.execute(task);
      } catch (RuntimeException refused) {
        task.run();
      }
    };
  }

  /** Where stages complete; null for the thread that has the outcome. */
  public @Nullable Executor completing() {
    return completing;
  }

  /** Where stages complete. */
  Executor completingOrHere() {
    return completing == null ? Runnable::run : completing;
  }

  /** Ends calls by completing stages. */
  public <T> CallDriver<T, CompletableFuture<T>> driver() {
    return new CallDriver<>() {
      @Override
      public CompletableFuture<T> decided(T result) {
        return CompletableFuture.completedFuture(result);
      }

      @Override
      public CompletableFuture<T> failed(RuntimeException failure) {
        return CompletableFuture.failedFuture(failure);
      }

      @Override
      public CompletableFuture<T> send(ScriptCall call, ReplyReader<T> reader) {
        AsyncCall<T> started = new AsyncCall<>(AsyncCalls.this, call, reader, false);
        return watched(started.isAdmitted() ? started.send(call, LateCalls.TOO_LATE) : started);
      }
    };
  }

  /** Sends the calls of a batch; who cancels the stage of its outcomes abandons them. */
  CompletableFuture<List<Outcome>> send(CallBatch batch) {
    List<AsyncCall<Decision>> sent = callAll(batch);
    CompletableFuture<List<Outcome>> outcomes =
        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
            .handleAsync((nothing, failure) -> settled(batch, sent), completingOrHere());
    outcomes.whenComplete(
        (all, failure) -> {
          if (outcomes.isCancelled()) {
            sent.forEach(call -> call.cancel(true));
          }
        });
    return outcomes;
  }

  private static List<Outcome> settled(CallBatch batch, List<AsyncCall<Decision>> ended) {
    for (int i = 0; i < ended.size(); i++) {
      AsyncCall<Decision> call = ended.get(i);
      batch.settle(i, () -> joined(call));
    }
    return batch.outcomes();
  }

  private static Decision joined(AsyncCall<Decision> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }

  private List<AsyncCall<Decision>> callAll(CallBatch batch) {
    List<ScriptCall> calls = batch.calls();
    List<AsyncCall<Decision>> started = new ArrayList<>(calls.size());
    List<AsyncCall<Decision>> admitted = new ArrayList<>(calls.size());
    List<ScriptCall> toSend = new ArrayList<>(calls.size());
    for (int i = 0; i < calls.size(); i++) {
      AsyncCall<Decision> one = new AsyncCall<>(this, calls.get(i), batch.reader(i), true);
      started.add(one);
      if (one.isAdmitted()) {
        admitted.add(one);
        toSend.add(calls.get(i));
      }
    }
    try {
      List<? extends CompletionStage<?>> stages =
          toSend.isEmpty() ? List.of() : transport.sendAll(toSend);
      for (int i = 0; i < stages.size(); i++) {
        admitted.get(i).follow(stages.get(i));
      }
    } catch (Throwable e) {
      RuntimeException failure = TransportStages.failure(e);
      admitted.forEach(call -> call.fail(failure));
    }
    started.forEach(this::watched);
    return started;
  }

  /** Ends a call of this limiter, or another waiter, when its deadline has passed. */
  void watch(CallDeadlines.Entry entry) {
    deadlines.watch(entry);
  }

  /* A call that has its outcome already, as from a server in this process, needs no end. */
  private <T> AsyncCall<T> watched(AsyncCall<T> call) {
    if (!call.isAdmitted()) {
      deadlines.end(call.entry());
    } else if (call.entry().get() != null) {
      deadlines.watch(call.entry());
    }
    return call;
  }
}
