package io.github.penstock.core.internal.trips;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Calls that go together: as one command, as two, or as one that asks for all but one of them and
 * one that asks for one.
 *
 * @param calls the calls, in order of arrival; none if its caller sends the only one
 * @param sentNanos when it was sent
 * @param bySource whether the first command has the script's source
 * @param lost whether one of its calls has failed since it was lost
 */
record SharedTrip<C>(List<C> calls, long sentNanos, boolean bySource, AtomicBoolean lost) {
  SharedTrip(List<C> calls, long sentNanos, boolean bySource) {
    this(calls, sentNanos, bySource, new AtomicBoolean());
  }

  /** How many calls go. */
  int number() {
    return Math.max(1, calls.size());
  }

  /** How many calls each command asks for. */
  List<Integer> commands() {
    return number() == 1 ? List.of(1) : List.of(number() - 1, 1);
  }

  /* Trips are different even if they are equal. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
