package io.github.penstock.core.internal.trips;

import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.trips.TripGroup.Member;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets the calls of one subject through an asynchronous transport share trips. Safe for use by
 * several threads.
 */
public final class SharedStages extends SharedTransport<SharedStages.StageGroup> {
  public SharedStages(ScriptTransport transport, TimeSource time) {
    super(transport, time);
  }

  @Override
  public CompletionStage<? extends @Nullable Object> send(ScriptCall call) {
    if (!mayShare(call)) {
      return transport.send(call);
    }
    int place = place(call);
    StageGroup group = group(call, place);
    if (group != null) {
      SharedStage shared = new SharedStage(group, call);
      if (group.join(shared)) {
        if (shared.member.alone != null) {
          group.sendAlone(shared, shared.member.alone);
        }
        return shared;
      }
    }
    long sentNanos = time.nanos();
    CompletionStage<? extends @Nullable Object> stage = transport.send(call);
    sentAlone(place, new LoneStage(call, TransportStages.future(stage), sentNanos));
    return stage;
  }

  @Override
  StageGroup group(ScriptCall call, LoneCall lone) {
    return new StageGroup(call, (LoneStage) lone);
  }

  private record LoneStage(ScriptCall call, CompletableFuture<?> stage, long sentNanos)
      implements LoneCall {
    @Override
    public boolean isLike(ScriptCall other) {
      return !stage.isDone() && call.equals(other);
    }
  }

  /** A call that goes with others, which its caller may cancel. */
  private static final class SharedStageMember extends Member {
    final SharedStage stage;
    final AtomicReference<@Nullable SharedFlight> flight = new AtomicReference<>();

    SharedStageMember(SharedStage stage) {
      this.stage = stage;
    }

    /** Has ended without an answer. */
    void end() {
      SharedFlight left = flight.getAndSet(null);
      if (left != null) {
        left.left();
      }
    }
  }

  private static final class SharedStage extends CompletableFuture<@Nullable Object> {
    private final StageGroup group;
    private final ScriptCall call;
    private final SharedStageMember member = new SharedStageMember(this);

    SharedStage(StageGroup group, ScriptCall call) {
      this.group = group;
      this.call = call;
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
        member.end();
      }
      boolean cancelled =
          sent && inTime
              ? super.cancel(mayInterruptIfRunning)
              : completeExceptionally(group.late(member, sent));
      member.end();
      return cancelled;
    }
  }

  /** The commands of a trip, and the number of its calls that have not ended. */
  private static final class SharedFlight {
    private final AtomicInteger open;
    private volatile List<? extends CompletionStage<?>> stages = List.of();

    SharedFlight(int calls) {
      open = new AtomicInteger(calls);
    }

    /* Otherwise a command that is not written yet would be charged for calls that have ended. */
    void left() {
      if (open.decrementAndGet() == 0) {
        stages.forEach(stage -> TransportStages.future(stage).cancel(true));
      }
    }

    void follow(List<? extends CompletionStage<?>> sent) {
      stages = sent;
      if (open.get() == 0) {
        sent.forEach(stage -> TransportStages.future(stage).cancel(true));
      }
    }

    boolean isOpen() {
      return open.get() > 0;
    }
  }

  final class StageGroup extends SharedGroup<SharedStageMember> {
    private final SharedTrip<SharedStageMember> first;
    private @Nullable LoneStage lone;

    StageGroup(ScriptCall call, LoneStage lone) {
      super(call, SharedStages.this, ForkJoinPool.commonPool());
      this.lone = lone;
      first = sentAlone(lone.sentNanos());
    }

    void sendAlone(SharedStage shared, SharedTrip<?> alone) {
      SharedFlight flight = new SharedFlight(1);
      shared.member.flight.set(flight);
      sendOne(shared.call, flight)
          .whenComplete(
              (answer, thrown) -> {
                aloneAnswered(alone, outcome(1, answer, thrown));
                if (thrown == null) {
                  shared.complete(answer);
                } else {
                  shared.completeExceptionally(thrown);
                }
              });
    }

    boolean join(SharedStage shared) {
      boolean entered = enter(shared.member);
      LoneStage taken = takeLone();
      if (taken != null) {
        taken
            .stage()
            .whenComplete((answer, thrown) -> aloneAnswered(first, outcome(1, answer, thrown)));
      }
      return entered;
    }

    private synchronized @Nullable LoneStage takeLone() {
      LoneStage taken = lone;
      lone = null;
      return taken;
    }

    private TripOutcome outcome(int asks, @Nullable Object answer, @Nullable Throwable thrown) {
      return SharedCommands.outcome(call, asks, answer, thrown, transport);
    }

    @Override
    void begin(SharedTrip<SharedStageMember> trip) {
      later(() -> travel(trip));
    }

    private void travel(SharedTrip<SharedStageMember> trip) {
      SharedFlight flight = new SharedFlight(trip.calls().size());
      long deadlineNanos = Long.MIN_VALUE;
      for (SharedStageMember member : trip.calls()) {
        member.flight.set(flight);
        if (member.stage.isDone()) {
          member.end();
        }
        deadlineNanos = Math.max(deadlineNanos, member.stage.call.deadlineNanos());
      }
      List<ScriptCall> commands = SharedCommands.of(call, trip, deadlineNanos);
      if (commands.size() == 1 || !trip.bySource() && transport.ordersCalls()) {
        together(trip, flight, commands);
      } else {
        oneAfterTheOther(trip, flight, commands);
      }
    }

    private void together(
        SharedTrip<SharedStageMember> trip, SharedFlight flight, List<ScriptCall> commands) {
      List<? extends CompletionStage<?>> stages;
      try {
        stages =
            commands.size() == 1
                ? List.of(transport.send(commands.get(0)))
                : transport.sendAll(commands);
      } catch (RuntimeException e) {
        TripOutcome failed = outcome(1, null, e);
        answered(trip, commands.stream().map(each -> failed).toList());
        return;
      }
      TripOutcome[] outcomes = new TripOutcome[stages.size()];
      AtomicInteger missing = new AtomicInteger(outcomes.length);
      for (int i = 0; i < outcomes.length; i++) {
        int place = i;
        stages
            .get(i)
            .whenComplete(
                (answer, thrown) -> {
                  outcomes[place] = outcome(trip.commands().get(place), answer, thrown);
                  if (missing.decrementAndGet() == 0) {
                    answered(trip, List.of(outcomes));
                  }
                });
      }
      flight.follow(stages);
    }

    private void oneAfterTheOther(
        SharedTrip<SharedStageMember> trip, SharedFlight flight, List<ScriptCall> commands) {
      sendOne(commands.get(0), flight)
          .whenComplete(
              (answer, thrown) -> {
                TripOutcome first = outcome(trip.commands().get(0), answer, thrown);
                if (!flight.isOpen()) {
                  TripOutcome none = outcome(1, null, SharedCommands.notSent());
                  answered(trip, List.of(first, none));
                  return;
                }
                sendOne(commands.get(1), flight)
                    .whenComplete(
                        (next, failure) ->
                            answered(trip, List.of(first, outcome(1, next, failure))));
              });
    }

    private CompletionStage<?> sendOne(ScriptCall one, SharedFlight flight) {
      CompletionStage<?> stage;
      try {
        stage = transport.send(one);
      } catch (RuntimeException e) {
        stage = CompletableFuture.failedFuture(e);
      }
      flight.follow(List.of(stage));
      return stage;
    }

    @Override
    public void end(SharedStageMember member, TripOutcome outcome) {
      RuntimeException failure = failure(member, outcome);
      Object answer = outcome.reply() == null ? outcome.other() : outcome.reply();
      later(() -> tell(member.stage, failure == null ? answer : failure));
    }

    private static void tell(SharedStage stage, @Nullable Object told) {
      if (told instanceof RuntimeException failure) {
        stage.completeExceptionally(failure);
      } else {
        stage.complete(told);
      }
    }
  }
}
