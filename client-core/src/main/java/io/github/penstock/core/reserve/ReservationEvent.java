package io.github.penstock.core.reserve;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An event of a call under several limits, as passed to a {@link
 * io.github.penstock.core.RateLimitListener}. Immutable.
 *
 * @param kind the kind of event
 * @param reservations the name of its {@link Reservations}
 * @param group the group of the call
 * @param answer the first answer, with the id and the entries; for a call that threw, a denial that
 *     is not {@link ReservationAnswer#enforced enforced}
 * @param latency from the start of the call to its end, including retries
 * @param cause the failure if there was no answer, with its {@link
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
    /** It threw: no decision could be made, and no option replaces it. */
    FAILED,
    /** It was settled with the units that it used. */
    SETTLED,
    /** It was cancelled and had used nothing. */
    CANCELLED,
    /** It was renewed. */
    RENEWED,
    /** It was settled or renewed too late: the reservation no longer exists. */
    RAN_OUT,
    /** A settlement had no answer, and may have thrown; the held units expire. */
    UNDECIDED
  }
}
