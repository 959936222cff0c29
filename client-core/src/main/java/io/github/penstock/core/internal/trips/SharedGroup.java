package io.github.penstock.core.internal.trips;

import io.github.penstock.core.PenstockException;
import io.github.penstock.core.internal.failure.SharedTripException;
import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.protocol.ReplyDecoder;
import io.github.penstock.core.internal.trips.SharedTransport.LoneCall;
import io.github.penstock.core.internal.trips.TripOutcome.Ran;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ServerError;
import io.github.penstock.core.spi.TransportFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Drives a {@link TripGroup}: one thread at a time decides, and does outside of the lock what was
 * decided. Safe for use by several threads.
 */
final class SharedGroup implements TripGroup.Driver<SharedCall> {
  /** Linux ends a timer about this much later than asked; one that ends early is set again. */
  private static final long TIMER_SLACK_NANOS = TimeUnit.MICROSECONDS.toNanos(60);

  private static final int MOST_CAUSES = 32;

  final ScriptCall call;
  final SharedTransport shared;
  private final ReentrantLock lock = new ReentrantLock();
  private final TripGroup<SharedCall> group;
  private final AtomicReference<@Nullable LoneCall> lone;
  private final SharedTrip<SharedCall> first;
  private List<Runnable> decided = new ArrayList<>();
  private long wakes = TripGroup.NEVER;
  private boolean over;

  /** The group of calls like {@code call}, the first of which was sent alone. */
  SharedGroup(ScriptCall call, LoneCall lone, SharedTransport shared) {
    this.call = call;
    this.shared = shared;
    this.lone = new AtomicReference<>(lone);
    group = new TripGroup<>(call.charge(), this, shared.tookNanos);
    first = group.sentAlone(lone.sentNanos);
  }

  /** Follows the first call, once this is in the map: its end may take this out again. */
  void followFirst() {
    LoneCall taken = lone.getAndSet(null);
    if (taken != null) {
      taken.thenAccept(
          sent -> sent.whenComplete((answer, thrown) -> answeredAlone(first, answer, thrown)));
    }
  }

  /** Returns the trip of a call that goes at once and alone; null if it must enter. */
  @Nullable SharedTrip<SharedCall> goesAlone() {
    AtomicReference<@Nullable SharedTrip<SharedCall>> alone = new AtomicReference<>();
    step(now -> alone.setPlain(over ? null : group.goesAlone(now)));
    return alone.getPlain();
  }

  /** Sends a call that goes alone; its caller hears of its end after this group. */
  CompletionStage<@Nullable Object> sendAlone(SharedTrip<SharedCall> trip, ScriptCall alone) {
    CompletableFuture<?> sent;
    try {
      sent = TransportStages.future(shared.transport.send(alone));
    } catch (Throwable e) {
      answeredAlone(trip, null, e);
      throw e;
    }
    AloneStage stage = new AloneStage(sent);
    sent.whenComplete(
        (answer, thrown) -> {
          answeredAlone(trip, answer, thrown);
          TransportStages.end(stage, answer, thrown);
        });
    return stage;
  }

  /** The stage of a call that goes alone; cancelling it cancels that of the transport. */
  private static final class AloneStage extends CompletableFuture<@Nullable Object> {
    private final CompletableFuture<?> sent;

    AloneStage(CompletableFuture<?> sent) {
      this.sent = sent;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      sent.cancel(mayInterruptIfRunning);
      return isCancelled();
    }
  }

  private void answeredAlone(
      SharedTrip<SharedCall> trip, @Nullable Object answer, @Nullable Throwable thrown) {
    answered(trip, List.of(outcome(1, answer, thrown)));
  }

  /** A call begins; returns false if this group is over, so that it must be sent otherwise. */
  boolean enter(SharedCall one) {
    boolean[] entered = new boolean[1];
    step(
        now -> {
          if (!over) {
            entered[0] = true;
            group.enter(one, now);
          }
        });
    return entered[0];
  }

  /** Returns whether a call that begins now would wait for others. */
  boolean waits() {
    lock.lock();
    try {
      return group.waits(shared.time.nanos());
    } finally {
      lock.unlock();
    }
  }

  /** A call ends without an answer; returns whether it was sent. */
  boolean leave(SharedCall one, boolean cancelled) {
    boolean[] sent = new boolean[1];
    step(now -> sent[0] = cancelled ? group.cancel(one) : group.leave(one));
    return sent[0];
  }

  /**
   * The failure of a call whose deadline has passed. One that was not sent waited for trips that
   * count themselves for the circuit breaker.
   */
  RuntimeException late(SharedCall one, boolean sent) {
    return sent
        ? lost(one, TransportStages.late())
        : new SharedTripException(SharedFlight.notSent());
  }

  /** The failure of a call whose trip is lost; of each trip, one counts for the circuit breaker. */
  private RuntimeException lost(SharedCall one, RuntimeException failure) {
    SharedTrip<?> trip = one.trip;
    return trip == null || trip.lost().compareAndSet(false, true)
        ? failure
        : new SharedTripException(failure);
  }

  void answered(SharedTrip<SharedCall> trip, List<TripOutcome> outcomes) {
    step(now -> group.answered(trip, outcomes, now));
  }

  @Override
  public void send(SharedTrip<SharedCall> trip) {
    shared.sent(trip.calls().size());
    trip.calls().get(trip.calls().size() - 1).lead(trip);
  }

  @Override
  public void end(SharedCall one, TripOutcome outcome) {
    Object told = outcome.reply() == null ? outcome.other() : outcome.reply();
    one.end(
        told instanceof RuntimeException failure && outcome.ran() == Ran.MAYBE
            ? lost(one, failure)
            : told);
  }

  /** The outcome of a command that asks for so many calls. */
  TripOutcome outcome(int asks, @Nullable Object answer, @Nullable Throwable thrown) {
    if (thrown != null) {
      return failed(TransportStages.failure(thrown));
    }
    try {
      ReplyDecoder.acquired(call, answer, asks);
      return TripOutcome.of(ReplyDecoder.longs(call, answer));
    } catch (PenstockException unreadable) {
      // Each call's own decoding reports it.
      return TripOutcome.of(Ran.ENDED, answer, false);
    }
  }

  private TripOutcome failed(RuntimeException failure) {
    if (failure instanceof NotSentException) {
      return TripOutcome.of(Ran.ENDED, failure, false);
    }
    Throwable cause = failure;
    for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
      TransportFailure known = shared.transport.failure(cause);
      if (known != null && known.serverText() != null) {
        boolean isUnknown = ServerError.of(known.serverText()).isNoScript();
        return TripOutcome.of(isUnknown ? Ran.NO : Ran.ENDED, failure, isUnknown);
      }
      cause = cause.getCause();
    }
    return TripOutcome.of(Ran.MAYBE, failure, false);
  }

  /** Does something outside of the lock. */
  void later(Runnable work) {
    decided.add(work);
  }

  private void step(LongConsumer decide) {
    List<Runnable> todo;
    lock.lock();
    try {
      long now = shared.time.nanos();
      decide.accept(now);
      settle(now);
      if (decided.isEmpty()) {
        return;
      }
      todo = decided;
      decided = new ArrayList<>();
    } finally {
      lock.unlock();
    }
    todo.forEach(Runnable::run);
  }

  /* Sets the timer for those who wait, and forgets a group that is over. */
  private void settle(long now) {
    if (over) {
      return;
    }
    if (group.isOver()) {
      over = true;
      shared.tookNanos = group.tookNanos();
      shared.groups.remove(call);
      return;
    }
    long next = group.next(now);
    if (next < wakes) {
      wakes = next;
      long early = next - now > TIMER_SLACK_NANOS ? TIMER_SLACK_NANOS : 0;
      shared.time.at(next - early, shared.timing).execute(() -> advance(next));
    }
  }

  private void advance(long due) {
    step(
        now -> {
          if (wakes == due) {
            wakes = TripGroup.NEVER;
          }
          group.advance(now);
        });
  }
}
