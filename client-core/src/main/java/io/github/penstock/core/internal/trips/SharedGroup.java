package io.github.penstock.core.internal.trips;

import io.github.penstock.core.internal.failure.SharedTripException;
import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.trips.TripGroup.Member;
import io.github.penstock.core.internal.trips.TripOutcome.Ran;
import io.github.penstock.core.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Drives a {@link TripGroup}: one thread at a time decides, and does outside of the lock what was
 * decided. Safe for use by several threads.
 */
abstract class SharedGroup<C extends Member> implements TripGroup.Driver<C> {
  /** Linux ends a timer about this much later than asked; one that ends early is set again. */
  private static final long TIMER_SLACK_NANOS = TimeUnit.MICROSECONDS.toNanos(60);

  final ScriptCall call;
  private final SharedTransport<? extends SharedGroup<C>> shared;
  private final Executor timing;
  private final ReentrantLock lock = new ReentrantLock();
  private final TripGroup<C> group;
  private List<Runnable> decided = new ArrayList<>();
  private long wakes = TripGroup.NEVER;
  private boolean over;

  /**
   * The group of calls like {@code call}.
   *
   * @param timing where its timer does what was decided
   */
  SharedGroup(ScriptCall call, SharedTransport<? extends SharedGroup<C>> shared, Executor timing) {
    this.call = call;
    this.shared = shared;
    this.timing = timing;
    group = new TripGroup<>(call.charge(), this, shared.tookNanos);
  }

  /** Records a call that was sent alone; before this group is seen by other threads. */
  final SharedTrip<C> sentAlone(long sentNanos) {
    return group.sentAlone(sentNanos);
  }

  /** A call that was sent alone has ended; before this group is seen by other threads. */
  final void hasEnded(SharedTrip<C> alone) {
    group.forget(alone);
  }

  /** A call that was sent alone has its outcome; its own caller sends it again where it must be. */
  final void aloneAnswered(SharedTrip<?> alone, TripOutcome outcome) {
    @SuppressWarnings("unchecked")
    SharedTrip<C> trip = (SharedTrip<C>) alone;
    answered(trip, List.of(outcome));
  }

  /**
   * A call begins; returns false if this group is over, so that it must be sent otherwise. A call
   * that goes at once and alone is sent by its own caller.
   */
  final boolean enter(C one) {
    boolean[] entered = new boolean[1];
    step(
        now -> {
          if (!over) {
            entered[0] = true;
            one.alone = group.goesAlone(now);
            if (one.alone == null) {
              group.enter(one, now);
            }
          }
        });
    return entered[0];
  }

  /** Returns whether a call that begins now would wait for others. */
  final boolean waits() {
    lock.lock();
    try {
      return group.waits(shared.time.nanos());
    } finally {
      lock.unlock();
    }
  }

  /** A call ends without an answer; returns whether it was sent. */
  final boolean leave(C one, boolean cancelled) {
    boolean[] sent = new boolean[1];
    step(now -> sent[0] = cancelled ? group.cancel(one) : group.leave(one));
    return sent[0];
  }

  /**
   * The failure of a call whose deadline has passed. One that was not sent waited for trips that
   * count themselves for the circuit breaker.
   */
  final RuntimeException late(C one, boolean sent) {
    return sent
        ? lost(one, TransportStages.late())
        : new SharedTripException(SharedCommands.notSent());
  }

  /** The failure of a call whose trip is lost; of each trip, one counts for the circuit breaker. */
  private RuntimeException lost(C one, RuntimeException failure) {
    SharedTrip<?> trip = one.trip;
    return trip == null || trip.lost().compareAndSet(false, true)
        ? failure
        : new SharedTripException(failure);
  }

  /** The failure that a command's outcome is for one of its calls; null if it was answered. */
  final @Nullable RuntimeException failure(C one, TripOutcome outcome) {
    if (!(outcome.other() instanceof RuntimeException failure)) {
      return null;
    }
    return outcome.ran() == Ran.MAYBE ? lost(one, failure) : failure;
  }

  final void answered(SharedTrip<C> trip, List<TripOutcome> outcomes) {
    step(now -> group.answered(trip, outcomes, now));
  }

  @Override
  public final void send(SharedTrip<C> trip) {
    shared.sent(trip.calls().size());
    begin(trip);
  }

  /** Sends a trip, or has it sent, under the lock. */
  abstract void begin(SharedTrip<C> trip);

  /** Does something outside of the lock. */
  final void later(Runnable work) {
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
      shared.time.at(next - early, timing).execute(() -> advance(next));
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
