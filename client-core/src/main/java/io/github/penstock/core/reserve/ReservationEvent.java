package io.github.penstock.core.reserve;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a call under several limits, as a {@link
 * io.github.penstock.core.RateLimitListener} gets it. Immutable.
 *
 * @param kind what happened
 * @param reservations the name of its {@link Reservations}
 * @param group whom the call is about
 * @param answer what was answered first, with the id and the entries; of a call that threw, a
 *     denial that is not {@link ReservationAnswer#enforced enforced}
 * @param latency from the call to its end, repeats included
 * @param cause why there was no answer, with its {@link
 *     io.github.penstock.core.PenstockException#kind() kind}; null if there was one
 */
public record ReservationEvent(
    Kind kind,
    String reservations,
    String group,
    ReservationAnswer answer,
    Duration latency,
    @Nullable RuntimeException cause) {
  /** The kinds of events. */
  public enum Kind {
    /**
     * It was allowed, and holds its units if it was {@link ReservationAnswer#enforced enforced}.
     */
    RESERVED,
    /** It was denied. */
    DENIED,
    /** It threw: there was no decision, and no option says what it ends with. */
    FAILED,
    /** It was ended with what it used. */
    SETTLED,
    /** It was ended, and had used nothing. */
    CANCELLED,
    /** It is held for longer. */
    RENEWED,
    /** It was settled or renewed too late: there is no such reservation any more. */
    RAN_OUT,
    /** A settlement had no answer, and may have thrown; what is held runs out by itself. */
    UNDECIDED
  }
}
