package io.github.penstock.core.internal.trips;

import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call whose thread waits for its end, and meanwhile sends the trips of which it is the last
 * call: its deadline is the latest. An interrupt ends no wait; the thread stays interrupted.
 */
final class ThreadCall extends SharedCall {
  private final TimeSource time;

  /** The next trip to send, or null for the end. */
  private volatile CompletableFuture<@Nullable SharedTrip<SharedCall>> event =
      new CompletableFuture<>();

  /** Whether the event was decided under the lock; it then happens soon. */
  private boolean decided;

  ThreadCall(SharedGroup group, ScriptCall call, TimeSource time) {
    super(group, call);
    this.time = time;
  }

  @Override
  void lead(SharedTrip<SharedCall> trip) {
    wake(trip);
  }

  @Override
  void end(@Nullable Object outcome) {
    super.end(outcome);
    wake(null);
  }

  /* Outside of the lock, for which the thread would otherwise wait again. */
  private void wake(@Nullable SharedTrip<SharedCall> trip) {
    CompletableFuture<@Nullable SharedTrip<SharedCall>> waiting = event;
    decided = true;
    group.later(() -> waiting.complete(trip));
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
    if (!time.await(next, call.deadlineNanos())) {
      boolean sent = group.leave(this, false);
      if (!decided) {
        stage.completeExceptionally(group.late(this, sent));
        leaveFlight();
        return null;
      }
    }
    SharedTrip<SharedCall> trip = next.join();
    decided = false;
    event = new CompletableFuture<>();
    return trip;
  }
}
