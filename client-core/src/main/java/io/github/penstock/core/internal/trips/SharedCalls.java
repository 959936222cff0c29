package io.github.penstock.core.internal.trips;

import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.trips.TripGroup.Member;
import io.github.penstock.core.internal.trips.TripOutcome.Ran;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets the calls of one subject through a blocking transport share trips: the thread of the last
 * call of a trip, whose deadline is the latest, sends it and reads the replies. An interrupt ends
 * no wait; the thread stays interrupted. Safe for use by several threads.
 */
public final class SharedCalls extends SharedTransport<SharedCalls.BlockingGroup> {
  private static final TripOutcome LOST = TripOutcome.of(Ran.MAYBE, null, false);

  public SharedCalls(ScriptTransport transport, TimeSource time) {
    super(transport, time);
  }

  @Override
  public CompletionStage<? extends @Nullable Object> send(ScriptCall call) {
    if (!mayShare(call)) {
      return transport.send(call);
    }
    int place = place(call);
    BlockingGroup group = group(call, place);
    LoneThread lone = null;
    if (group != null) {
      ThreadCall shared = new ThreadCall(call);
      if (group.enter(shared)) {
        if (shared.alone == null) {
          return CompletableFuture.completedFuture(group.await(shared));
        }
        lone = new LoneThread(call, shared.alone, group);
      }
    }
    if (lone == null) {
      lone = new LoneThread(call, time.nanos());
      sentAlone(place, lone);
    }
    TripOutcome outcome = LOST;
    try {
      CompletionStage<? extends @Nullable Object> stage = transport.send(call);
      outcome = lone.hasGroup() ? outcome(call, 1, stage) : outcome;
      return stage;
    } catch (RuntimeException e) {
      outcome = lone.hasGroup() ? failed(call, e) : outcome;
      throw e;
    } finally {
      lone.end(outcome);
    }
  }

  @Override
  BlockingGroup group(ScriptCall call, LoneCall lone) {
    return new BlockingGroup(call, (LoneThread) lone);
  }

  private TripOutcome outcome(ScriptCall command, int asks, CompletionStage<?> stage) {
    try {
      Object answer = TransportStages.await(stage, command.deadlineNanos(), time);
      return SharedCommands.outcome(command, asks, answer, null, transport);
    } catch (RuntimeException e) {
      return failed(command, e);
    }
  }

  private TripOutcome failed(ScriptCall command, RuntimeException failure) {
    return SharedCommands.outcome(command, 1, null, failure, transport);
  }

  /** A call that is sent alone, and its group: null until one is made or the call has ended. */
  private static final class LoneThread extends AtomicReference<@Nullable Object>
      implements LoneCall {
    private static final long serialVersionUID = 1L;
    private static final Object ENDED = new Object();
    private final transient ScriptCall call;
    private final long sentNanos;
    private transient @Nullable SharedTrip<?> trip;

    LoneThread(ScriptCall call, long sentNanos) {
      this.call = call;
      this.sentNanos = sentNanos;
    }

    LoneThread(ScriptCall call, SharedTrip<?> trip, BlockingGroup group) {
      super(group);
      this.call = call;
      this.trip = trip;
      sentNanos = trip.sentNanos();
    }

    @Override
    public boolean isLike(ScriptCall other) {
      return get() != ENDED && call.equals(other);
    }

    boolean hasGroup() {
      return get() != null;
    }

    void end(TripOutcome outcome) {
      if (getAndSet(ENDED) instanceof BlockingGroup group) {
        group.aloneAnswered(Objects.requireNonNull(trip), outcome);
      }
    }
  }

  /** A call that goes with others, and the next thing that its thread must know. */
  private static final class ThreadCall extends Member {
    private final ScriptCall call;
    private volatile CompletableFuture<Object> event = new CompletableFuture<>();

    /** Whether the event was decided under the lock; it then happens soon. */
    private boolean decided;

    ThreadCall(ScriptCall call) {
      this.call = call;
    }
  }

  final class BlockingGroup extends SharedGroup<ThreadCall> {
    BlockingGroup(ScriptCall call, LoneThread lone) {
      // It only wakes threads, so it may run on the timer's.
      super(call, SharedCalls.this, Runnable::run);
      SharedTrip<ThreadCall> first = sentAlone(lone.sentNanos);
      lone.trip = first;
      if (!lone.compareAndSet(null, this)) {
        hasEnded(first);
      }
    }

    @Nullable Object await(ThreadCall shared) {
      boolean interrupted = false;
      try {
        while (true) {
          try {
            Object event = next(shared);
            if (event instanceof SharedTrip<?> trip) {
              lead(trip, shared);
            } else if (event instanceof RuntimeException failure) {
              throw failure;
            } else {
              return ((TripAnswer) event).answer();
            }
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    private Object next(ThreadCall shared) throws InterruptedException {
      CompletableFuture<Object> event = shared.event;
      if (!time.await(event, shared.call.deadlineNanos())) {
        boolean sent = leave(shared, false);
        if (!shared.decided) {
          throw late(shared, sent);
        }
      }
      Object known = event.join();
      shared.decided = false;
      shared.event = new CompletableFuture<>();
      return known;
    }

    private void lead(SharedTrip<?> any, ThreadCall shared) {
      @SuppressWarnings("unchecked")
      SharedTrip<ThreadCall> trip = (SharedTrip<ThreadCall>) any;
      List<ScriptCall> commands = SharedCommands.of(call, trip, shared.call.deadlineNanos());
      List<TripOutcome> outcomes = new ArrayList<>();
      try {
        if (commands.size() == 1 || trip.bySource() || !transport.ordersCalls()) {
          for (ScriptCall command : commands) {
            outcomes.add(sendOne(command, trip.commands().get(outcomes.size())));
          }
        } else {
          for (CompletionStage<?> stage : transport.sendAll(commands)) {
            int at = outcomes.size();
            outcomes.add(outcome(commands.get(at), trip.commands().get(at), stage));
          }
        }
      } catch (RuntimeException e) {
        outcomes.clear();
        commands.forEach(command -> outcomes.add(failed(command, e)));
      } finally {
        while (outcomes.size() < commands.size()) {
          outcomes.add(failed(call, TransportStages.late()));
        }
        answered(trip, outcomes);
      }
    }

    private TripOutcome sendOne(ScriptCall command, int asks) {
      try {
        return outcome(command, asks, transport.send(command));
      } catch (RuntimeException e) {
        return failed(command, e);
      }
    }

    @Override
    void begin(SharedTrip<ThreadCall> trip) {
      wake(trip.calls().get(trip.calls().size() - 1), trip);
    }

    @Override
    public void end(ThreadCall shared, TripOutcome outcome) {
      RuntimeException failure = failure(shared, outcome);
      Object answer = outcome.reply() == null ? outcome.other() : outcome.reply();
      wake(shared, failure == null ? new TripAnswer(answer) : failure);
    }

    /* Outside of the lock, for which the thread would otherwise wait again. */
    private void wake(ThreadCall shared, Object event) {
      CompletableFuture<Object> waiting = shared.event;
      shared.decided = true;
      later(() -> waiting.complete(event));
    }
  }

  private record TripAnswer(@Nullable Object answer) {}
}
