package io.github.penstock.core.internal.trips;

import io.github.penstock.core.internal.trips.TripGroup.Member;
import io.github.penstock.core.spi.ScriptCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A call that goes with others, which its caller may cancel. Safe for use by several threads. */
class SharedCall extends Member {
  final SharedGroup group;
  final ScriptCall call;
  final CompletableFuture<@Nullable Object> stage = new SharedStage();
  final AtomicReference<@Nullable SharedFlight> flight = new AtomicReference<>();

  SharedCall(SharedGroup group, ScriptCall call) {
    this.group = group;
    this.call = call;
  }

  private final class SharedStage extends CompletableFuture<@Nullable Object> {
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      if (isDone()) {
        return isCancelled();
      }
      boolean inTime = call.remainingNanos() > 0;
      boolean sent = group.leave(SharedCall.this, inTime);
      boolean cancelled =
          sent && inTime
              ? super.cancel(mayInterruptIfRunning)
              : completeExceptionally(group.late(SharedCall.this, sent));
      leaveFlight();
      return cancelled;
    }
  }

  /** The call has entered its group. */
  void entered() {}

  /** Sends a trip of which this is the last call; called under the group's lock. */
  void lead(SharedTrip<SharedCall> trip) {
    group.later(() -> new SharedFlight(group, trip).send());
  }

  /** The call has its outcome, an answer or a RuntimeException; called under the group's lock. */
  void end(@Nullable Object outcome) {
    group.later(() -> tell(outcome));
  }

  void tell(@Nullable Object outcome) {
    if (outcome instanceof RuntimeException failure) {
      stage.completeExceptionally(failure);
    } else {
      stage.complete(outcome);
    }
  }

  /** The call has ended without an answer. */
  final void leaveFlight() {
    SharedFlight left = flight.getAndSet(null);
    if (left != null) {
      left.left();
    }
  }
}
