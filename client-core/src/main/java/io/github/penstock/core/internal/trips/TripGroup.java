package io.github.penstock.core.internal.trips;

import io.github.penstock.core.internal.node.ClientNumbers;
import io.github.penstock.core.internal.trips.TripGroup.Member;
import io.github.penstock.core.internal.trips.TripOutcome.Ran;
import io.github.penstock.core.limit.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The calls that would send the same bytes: a state machine without clock, threads or sockets. Its
 * driver sends what it decides. For one thread at a time.
 */
final class TripGroup<C extends Member> {
  /** The time at which nothing has to be done. */
  static final long NEVER = Long.MAX_VALUE;

  private static final long OLD_NANOS = TimeUnit.MILLISECONDS.toNanos(ClientNumbers.TRIP_OLD_MS);
  private static final long NEXT_NANOS = TimeUnit.MICROSECONDS.toNanos(ClientNumbers.TRIP_NEXT_US);
  private final long cost;
  private final Driver<C> driver;
  private final TreeSet<C> waiting = new TreeSet<>(Comparator.comparingLong(call -> call.place));
  private final List<SharedTrip<C>> trips = new ArrayList<>();
  private long tookNanos;
  private long entered;
  private boolean bySource;

  /**
   * A group of calls with this cost.
   *
   * @param tookNanos the time of an earlier trip; 0 if there is none
   */
  TripGroup(long cost, Driver<C> driver, long tookNanos) {
    this.cost = cost;
    this.driver = driver;
    this.tookNanos = tookNanos;
  }

  abstract static class Member {
    /** Its place in the order of arrival; -1 if it has not entered. */
    long place = -1;

    boolean left;
    boolean cancelled;
    @Nullable SharedTrip<?> trip;
  }

  /** Does what a group decides. */
  interface Driver<C> {
    /** Sends a trip, whose outcomes {@link #answered} gets, not before this returns. */
    void send(SharedTrip<C> trip);

    void end(C call, TripOutcome outcome);
  }

  long tookNanos() {
    return tookNanos;
  }

  boolean isOver() {
    return waiting.isEmpty() && trips.isEmpty();
  }

  /** Returns the trip of a call that its own caller sends at once; null if the call must enter. */
  @Nullable SharedTrip<C> goesAlone(long now) {
    return bySource || waits(now) ? null : sentAlone(now);
  }

  /** Returns whether a call that begins now would wait for others. */
  boolean waits(long now) {
    return !waiting.isEmpty() || !maySend(now);
  }

  /** Records a call that its own caller has sent, or sends; returns its trip. */
  SharedTrip<C> sentAlone(long sentNanos) {
    SharedTrip<C> trip = new SharedTrip<>(List.of(), sentNanos, false);
    trips.add(trip);
    return trip;
  }

  void enter(C call, long now) {
    call.place = entered++;
    waiting.add(call);
    advance(now);
  }

  /**
   * The deadline of a call has passed; returns whether it was sent. Its unit then stays its own.
   */
  boolean leave(C call) {
    call.left = !waiting.remove(call);
    return call.left;
  }

  /** A caller has given up; returns whether it was sent. Its unit then goes to the next call. */
  boolean cancel(C call) {
    call.cancelled = !waiting.remove(call);
    return call.cancelled;
  }

  /** A trip has ended; there is an outcome for each of its commands. */
  void answered(SharedTrip<C> trip, List<TripOutcome> outcomes, long now) {
    trips.remove(trip);
    if (outcomes.stream().allMatch(outcome -> outcome.reply() != null)) {
      long took = now - trip.sentNanos();
      // A caller that sent its call itself may hear of the answer late.
      tookNanos = trip.calls().isEmpty() && tookNanos > 0 ? Math.min(took, tookNanos) : took;
    }
    for (C call : share(trip, outcomes)) {
      if (!call.left) {
        waiting.add(call);
      }
    }
    advance(now);
  }

  /** Sends the trips that may be sent. */
  void advance(long now) {
    long most = Math.min(ClientNumbers.TRIP_CALLS, Limit.MAX_UNITS / cost + 1);
    while (!waiting.isEmpty() && maySend(now)) {
      List<C> calls = new ArrayList<>();
      for (Iterator<C> each = waiting.iterator(); each.hasNext() && calls.size() < most; ) {
        calls.add(each.next());
        each.remove();
      }
      SharedTrip<C> trip = new SharedTrip<>(calls, now, bySource);
      bySource = false;
      calls.forEach(call -> call.trip = trip);
      trips.add(trip);
      driver.send(trip);
    }
  }

  /** When {@link #advance} must be called, unless an answer comes before. */
  long next(long now) {
    if (waiting.isEmpty()) {
      return NEVER;
    }
    if (maySend(now)) {
      return now;
    }
    long next = NEVER;
    for (SharedTrip<C> trip : trips) {
      long old = oldAt(trip);
      if (old - now > 0) {
        next = Math.min(next, old);
      }
    }
    return tookNanos > 0 && counting(now).size() < ClientNumbers.TRIPS_UNDER_WAY
        ? Math.min(next, nextAt())
        : next;
  }

  private long oldAt(SharedTrip<C> trip) {
    return trip.sentNanos() + Math.max(OLD_NANOS, ClientNumbers.TRIP_OLD_TIMES * tookNanos);
  }

  private long nextAt() {
    return trips.get(trips.size() - 1).sentNanos()
        + Math.max(NEXT_NANOS, (long) (tookNanos * ClientNumbers.TRIP_NEXT_PART));
  }

  /* The trips that count, of which the last is the youngest. */
  private List<SharedTrip<C>> counting(long now) {
    int old = 0;
    while (old < Math.min(trips.size(), ClientNumbers.OLD_TRIPS)
        && oldAt(trips.get(old)) - now <= 0) {
      old++;
    }
    return trips.subList(old, trips.size());
  }

  private boolean maySend(long now) {
    List<SharedTrip<C>> counting = counting(now);
    int calls = 0;
    for (SharedTrip<C> trip : counting) {
      calls += trip.number();
    }
    return calls < ClientNumbers.TRIP_CALLS_AT_ONCE
        || tookNanos > 0 && counting.size() < ClientNumbers.TRIPS_UNDER_WAY && now - nextAt() >= 0;
  }

  /* Ends the calls of a trip, and returns those for which another trip is needed. */
  private List<C> share(SharedTrip<C> trip, List<TripOutcome> outcomes) {
    List<C> calls = trip.calls().stream().filter(call -> !call.cancelled).toList();
    TripOutcome first = outcomes.get(0);
    TripOutcome last = outcomes.get(outcomes.size() - 1);
    if (trip.number() == 1) {
      return alone(calls, first);
    }
    List<Long> reply = first.reply();
    if (reply != null) {
      int granted = (int) Math.min(reply.get(0), calls.size());
      for (int place = 0; place < granted; place++) {
        driver.end(calls.get(place), TripOutcome.alone(reply, place, cost));
      }
      calls = calls.subList(granted, calls.size());
      if (first.denies() && trip.calls().size() == 2 && !calls.isEmpty()) {
        // Each of two calls has its own command.
        driver.end(calls.get(0), first);
        calls = calls.subList(1, calls.size());
      }
    } else if (first.ran() == Ran.MAYBE) {
      return all(calls, first);
    } else if (first.ran() == Ran.ENDED) {
      C spoken = trip.calls().get(trip.calls().size() - 1);
      all(calls.stream().filter(call -> call != spoken).toList(), first);
      calls = calls.stream().filter(call -> call == spoken).toList();
    } else {
      // The last command ran alone: its answer is that of the first call, even if it is a denial.
      bySource |= first.needsSource();
      return alone(calls, last);
    }
    return last.denies() ? all(calls, last) : alone(calls, last);
  }

  /* Ends the first call by the outcome of its own command; the others were not charged. */
  private List<C> alone(List<C> calls, TripOutcome outcome) {
    if (outcome.reply() == null && outcome.ran() == Ran.NO) {
      bySource |= outcome.needsSource();
      return calls;
    }
    if (calls.isEmpty()) {
      return calls;
    }
    driver.end(calls.get(0), outcome);
    return calls.subList(1, calls.size());
  }

  private List<C> all(List<C> calls, TripOutcome outcome) {
    calls.forEach(call -> driver.end(call, outcome));
    return List.of();
  }
}
