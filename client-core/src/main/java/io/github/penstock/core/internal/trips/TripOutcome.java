package io.github.penstock.core.internal.trips;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a command of a trip ended: with a reply, or without one.
 *
 * @param reply the six integers of a reply that can be read; null if there is none
 * @param other the driver's object for the calls of a command without such a reply
 * @param ran whether a command without such a reply was executed
 * @param needsSource whether the server lacks the script
 */
record TripOutcome(
    @Nullable List<Long> reply, @Nullable Object other, Ran ran, boolean needsSource) {

  /** Whether a command without a readable reply was executed. */
  enum Ran {
    /** No answer came, so it may have been. */
    MAYBE,
    /** The server proves that it was not; its calls are sent again. */
    NO,
    /** The outcome is that of each of its calls. */
    ENDED
  }

  static TripOutcome of(List<Long> reply) {
    return new TripOutcome(reply, null, Ran.ENDED, false);
  }

  static TripOutcome of(Ran ran, @Nullable Object other, boolean needsSource) {
    return new TripOutcome(null, other, ran, needsSource);
  }

  boolean denies() {
    return reply != null && reply.get(0) == 0;
  }

  /** The reply that the granted call at this place, from 0, would have had alone. */
  static TripOutcome alone(List<Long> reply, int place, long cost) {
    long remaining = reply.get(2) + (reply.get(0) - 1 - place) * cost;
    return of(List.of(1L, reply.get(1), remaining, reply.get(3), reply.get(4), reply.get(5)));
  }
}
