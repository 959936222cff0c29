package io.github.penstock.core.engine;

import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The parts of a batch, one after the other. */
final class PartsStage extends CompletableFuture<List<Outcome>> {
  private final AsyncCalls calls;
  private final BatchParts parts;
  private volatile List<AsyncCall<Decision>> started = List.of();

  PartsStage(AsyncCalls calls, BatchParts parts) {
    this.calls = calls;
    this.parts = parts;
  }

  /* A loop, as parts that end at once would nest on the stack. */
  void send() {
    while (parts.hasNext() && !isDone()) {
      CallBatch part = parts.next();
      List<AsyncCall<Decision>> sent = calls.callAll(part);
      started = sent;
      if (isCancelled()) {
        cancelStarted();
      }
      CompletableFuture<Void> all = CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new));
      if (!all.isDone()) {
        all.whenCompleteAsync(
            (nothing, failure) -> goOn(part, sent), calls.route().completingOrHere());
        return;
      }
      settle(part, sent);
    }
    complete(parts.outcomes());
  }

  private void goOn(CallBatch part, List<AsyncCall<Decision>> settled) {
    try {
      settle(part, settled);
      send();
    } catch (Throwable e) {
      completeExceptionally(e);
    }
  }

  private void settle(CallBatch part, List<AsyncCall<Decision>> settled) {
    for (int i = 0; i < settled.size(); i++) {
      AsyncCall<Decision> call = settled.get(i);
      part.settle(i, () -> joined(call));
    }
    parts.ended(part);
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    if (cancelled) {
      cancelStarted();
    }
    return cancelled;
  }

  private void cancelStarted() {
    started.forEach(call -> call.cancel(true));
  }

  private static Decision joined(AsyncCall<Decision> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }
}
