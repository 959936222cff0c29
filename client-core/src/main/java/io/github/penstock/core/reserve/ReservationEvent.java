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
 * @param answer the first answer to the call, with the id and the entries. If the call threw an
 *     exception, this is a denial that is not {@link ReservationAnswer#enforced enforced}
 * @param latency the time from the start of the call to its end, including retries
 * @param cause the failure, with its {@link io.github.penstock.core.PenstockException#kind() kind},
 *     if there was no answer; otherwise null
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
     * The call was allowed. It holds its units if the answer is {@link ReservationAnswer#enforced
     * enforced}.
     */
    RESERVED,
    /** The call was denied. */
    DENIED,
    /**
     * The call threw an exception because no decision could be made and the options do not specify
     * a result for this failure.
     */
    FAILED,
    /** The call was settled with the units that it used. */
    SETTLED,
    /** The call was cancelled without using any units. */
    CANCELLED,
    /** The reservation was renewed. */
    RENEWED,
    /** The call was settled or renewed too late. Its reservation no longer existed. */
    RAN_OUT,
    /**
     * The server did not answer when the call was settled, and the caller may have received an
     * exception. The held units expire.
     */
    UNDECIDED
  }
}
