package io.github.penstock.core.internal.trips;

import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** The commands of a trip, and the number of its calls that have not ended. */
final class SharedFlight {
  private final SharedGroup group;
  private final ScriptTransport transport;
  private final SharedTrip<SharedCall> trip;
  private final AtomicInteger open;
  private volatile List<? extends CompletionStage<?>> stages = List.of();

  SharedFlight(SharedGroup group, SharedTrip<SharedCall> trip) {
    this.group = group;
    this.trip = trip;
    transport = group.shared.transport;
    open = new AtomicInteger(trip.number());
  }

  /** Sends the commands; the group gets their outcomes. */
  void send() {
    long deadlineNanos = Long.MIN_VALUE;
    for (SharedCall each : trip.calls()) {
      each.flight.set(this);
      if (each.stage.isDone()) {
        each.leaveFlight();
      }
      deadlineNanos = Math.max(deadlineNanos, each.call.deadlineNanos());
    }
    List<ScriptCall> commands = commands(deadlineNanos);
    if (commands.size() == 1 || !trip.bySource() && transport.ordersCalls()) {
      together(commands);
    } else {
      oneAfterTheOther(commands);
    }
  }

  private List<ScriptCall> commands(long deadlineNanos) {
    ScriptCall plain = group.call.until(deadlineNanos);
    int asks = trip.commands().get(0);
    ScriptCall first = asks == 1 ? plain : plain.several(asks);
    first = trip.bySource() ? first.bySource() : first;
    return trip.calls().size() == 1 ? List.of(first) : List.of(first, plain);
  }

  private void together(List<ScriptCall> commands) {
    List<? extends CompletionStage<?>> sent;
    try {
      sent =
          commands.size() == 1
              ? List.of(transport.send(commands.get(0)))
              : transport.sendAll(commands);
    } catch (Throwable e) {
      TripOutcome failed = group.outcome(1, null, e);
      group.answered(trip, commands.stream().map(each -> failed).toList());
      return;
    }
    TripOutcome[] outcomes = new TripOutcome[sent.size()];
    AtomicInteger missing = new AtomicInteger(outcomes.length);
    for (int i = 0; i < outcomes.length; i++) {
      int place = i;
      sent.get(i)
          .whenComplete(
              (answer, thrown) -> {
                outcomes[place] = group.outcome(trip.commands().get(place), answer, thrown);
                if (missing.decrementAndGet() == 0) {
                  group.answered(trip, List.of(outcomes));
                }
              });
    }
    follow(sent);
  }

  private void oneAfterTheOther(List<ScriptCall> commands) {
    sendOne(commands.get(0))
        .whenComplete(
            (answer, thrown) -> {
              TripOutcome first = group.outcome(trip.commands().get(0), answer, thrown);
              CompletionStage<?> second =
                  open.get() > 0
                      ? sendOne(commands.get(1))
                      : CompletableFuture.failedFuture(notSent());
              second.whenComplete(
                  (next, failure) ->
                      group.answered(trip, List.of(first, group.outcome(1, next, failure))));
            });
  }

  private CompletionStage<?> sendOne(ScriptCall one) {
    CompletionStage<?> stage;
    try {
      stage = transport.send(one);
    } catch (Throwable e) {
      stage = CompletableFuture.failedFuture(e);
    }
    follow(List.of(stage));
    return stage;
  }

  private void follow(List<? extends CompletionStage<?>> sent) {
    stages = sent;
    if (open.get() == 0) {
      cancel();
    }
  }

  /** A call has ended without an answer. */
  void left() {
    if (open.decrementAndGet() == 0) {
      cancel();
    }
  }

  /* Otherwise a command that is not written yet would be charged for calls that have ended. */
  private void cancel() {
    stages.forEach(stage -> TransportStages.future(stage).cancel(true));
  }

  /** The failure of a call that left before it was sent. */
  static NotSentException notSent() {
    return new NotSentException(
        new IllegalStateException(
            "the call waited to be sent together with others",
            new TimeoutException("no trip began within the deadline")));
  }
}
