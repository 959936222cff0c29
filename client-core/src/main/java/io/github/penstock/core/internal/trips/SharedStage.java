package io.github.penstock.core.internal.trips;

import io.github.penstock.core.internal.trips.TripGroup.Member;
import io.github.penstock.core.spi.ScriptCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A call that goes with others, which its caller may cancel. Safe for use by several threads. */
class SharedStage extends CompletableFuture<@Nullable Object> {
  final SharedGroup group;
  final ScriptCall call;
  final StageMember member = new StageMember(this);

  SharedStage(SharedGroup group, ScriptCall call) {
    this.group = group;
    this.call = call;
  }

  /** The call in the state of its group. */
  static final class StageMember extends Member {
    final SharedStage stage;
    final AtomicReference<@Nullable SharedFlight> flight = new AtomicReference<>();

    /** Its trip, if its own caller sends it, and hears its outcome. */
    @Nullable SharedTrip<StageMember> alone;

    StageMember(SharedStage stage) {
      this.stage = stage;
    }
  }

  /** The call has entered its group. */
  void entered() {}

  /** Sends a trip of which this is the last call; called under the group's lock. */
  void lead(SharedTrip<StageMember> trip) {
    group.later(() -> new SharedFlight(group, trip).send());
  }

  /** The call has its outcome, an answer or a RuntimeException; called under the group's lock. */
  void end(@Nullable Object outcome) {
    group.later(
        () -> {
          if (outcome instanceof RuntimeException failure) {
            completeExceptionally(failure);
          } else {
            complete(outcome);
          }
        });
  }

  /** Ends without an answer, as the deadline has passed. */
  final boolean expire(boolean sent) {
    boolean mine = completeExceptionally(group.late(member, sent));
    leaveFlight();
    return mine;
  }

  /** The call has ended without an answer. */
  final void leaveFlight() {
    SharedFlight left = member.flight.getAndSet(null);
    if (left != null) {
      left.left();
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    if (isDone()) {
      return isCancelled();
    }
    boolean inTime = call.remainingNanos() > 0;
    boolean sent = group.leave(member, inTime);
    if (member.alone != null) {
      // Its own stage may know that it was not sent.
      leaveFlight();
    }
    if (!sent || !inTime) {
      return expire(sent);
    }
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    leaveFlight();
    return cancelled;
  }
}
