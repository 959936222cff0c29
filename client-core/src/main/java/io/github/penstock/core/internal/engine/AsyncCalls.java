package io.github.penstock.core.internal.engine;

import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.plan.CallDriver;
import io.github.penstock.core.internal.plan.ReplyReader;
import io.github.penstock.core.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Asynchronous calls through one transport, with their deadlines. Safe for use by several threads.
 */
public final class AsyncCalls {
  private final AsyncRoute route;
  private final AsyncRoute ofBatches;
  private final CallDeadlines deadlines;

  public AsyncCalls(AsyncRoute route) {
    this.route = route;
    deadlines = new CallDeadlines(route.time());
    ofBatches = route.unseen();
  }

  /** What calls share. */
  public AsyncRoute route() {
    return route;
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
        AsyncCall<T> started = new AsyncCall<>(route, call, reader);
        return watched(started.isAdmitted() ? started.send(call, LateCalls.TOO_LATE) : started);
      }
    };
  }

  /** Sends the calls of a batch; who cancels the stage of its outcomes abandons them. */
  CompletableFuture<List<Outcome>> send(CallBatch batch) {
    List<AsyncCall<Decision>> sent = callAll(batch);
    CompletableFuture<List<Outcome>> outcomes =
        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
            .handleAsync((nothing, failure) -> settled(batch, sent), route.completingOrHere());
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
      AsyncCall<Decision> one = new AsyncCall<>(ofBatches, calls.get(i), batch.reader(i));
      started.add(one);
      if (one.isAdmitted()) {
        admitted.add(one);
        toSend.add(calls.get(i));
      }
    }
    try {
      List<? extends CompletionStage<?>> stages =
          toSend.isEmpty() ? List.of() : route.transport().sendAll(toSend);
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
