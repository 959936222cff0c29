package io.github.penstock.core.reserve;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An event of a call under several limits, as reported to a {@link
 * io.github.penstock.core.RateLimitListener}. Immutable.
 *
 * @param kind the kind of event
 * @param reservations the name of the {@link Reservations}
 * @param group the group of the call
 * @param answer the first answer, with the id and the entries; for a call that threw, a denial that
 *     is not {@link ReservationAnswer#enforced enforced}
 * @param latency the time from the start of the call to its end, including retries
 * @param cause the failure if there was no answer, with its {@link
 *     io.github.penstock.core.PenstockException#kind() kind}; otherwise null
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
     * The call was allowed, and holds its units if it was {@link ReservationAnswer#enforced
     * enforced}.
     */
    RESERVED,
    /** The call was denied. */
    DENIED,
    /** The call threw: no decision could be made, and no option specified a result instead. */
    FAILED,
    /** The call was settled with the units that it used. */
    SETTLED,
    /** The call was cancelled without using any units. */
    CANCELLED,
    /** The reservation was renewed. */
    RENEWED,
    /** The call was settled or renewed too late: its reservation no longer exists. */
    RAN_OUT,
    /** A settlement got no answer, and may have thrown an exception; the held units expire. */
    UNDECIDED
  }
}
