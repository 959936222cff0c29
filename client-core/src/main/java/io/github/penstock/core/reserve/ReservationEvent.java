package io.github.penstock.core.reserve;

import java.time.Duration;

/**
 * What happened to a call under several limits, as a {@link
 * io.github.penstock.core.RateLimitListener} gets it. Immutable.
 *
 * @param kind what happened
 * @param reservations the name of its {@link Reservations}
 * @param group whom the call is about
 * @param answer what was answered first, with the id and the entries
 * @param latency from the call to its end, repeats included
 */
public record ReservationEvent(
    Kind kind, String reservations, String group, ReservationAnswer answer, Duration latency) {
  /** The kinds of events. */
  public enum Kind {
    /**
     * It was allowed, and holds its units if it was {@link ReservationAnswer#enforced enforced}.
     */
    RESERVED,
    /** It was denied. */
    DENIED,
    /** It was ended with what it used. */
    SETTLED,
    /** It was ended, and had used nothing. */
    CANCELLED,
    /** It is held for longer. */
    RENEWED,
    /** It was settled or renewed too late: there is no such reservation any more. */
    RAN_OUT,
    /** A settlement ended without an answer; what is held runs out by itself. */
    UNDECIDED
  }
}
