package io.github.penstock.core.internal.trips;

import io.github.penstock.core.spi.ScriptCall;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call whose thread waits for its end, and meanwhile sends the trips of which it is the last
 * call: its deadline is the latest. An interrupt ends no wait; the thread stays interrupted.
 */
final class ThreadCall extends SharedCall {
  /** The next trip to send, or null for the end. */
  private volatile CompletableFuture<@Nullable SharedTrip<SharedCall>> event =
      new CompletableFuture<>();

  /** Whether the event was decided under the lock; it then happens soon. */
  private boolean decided;

  ThreadCall(SharedGroup group, ScriptCall call) {
    super(group, call);
  }

  /* The thread is woken outside of the lock, for which it would otherwise wait again. */
  @Override
  void lead(SharedTrip<SharedCall> trip) {
    decided = true;
    group.later(() -> event.complete(trip));
  }

  @Override
  void end(@Nullable Object outcome) {
    decided = true;
    super.end(outcome);
  }

  @Override
  void tell(@Nullable Object outcome) {
    super.tell(outcome);
    event.complete(null);
  }

  @Override
  void entered() {
    boolean interrupted = false;
    while (!stage.isDone()) {
      try {
        SharedTrip<SharedCall> trip = next();
        if (trip != null) {
          new SharedFlight(group, trip).send();
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable SharedTrip<SharedCall> next() throws InterruptedException {
    CompletableFuture<@Nullable SharedTrip<SharedCall>> next = event;
    if (!group.shared.time.await(next, call.deadlineNanos())) {
      boolean sent = group.leave(this, false);
      if (!decided) {
        stage.completeExceptionally(group.late(this, sent));
        leaveFlight();
        return null;
      }
    }
    SharedTrip<SharedCall> trip = next.join();
    if (trip != null) {
      decided = false;
      event = new CompletableFuture<>();
    }
    return trip;
  }
}
