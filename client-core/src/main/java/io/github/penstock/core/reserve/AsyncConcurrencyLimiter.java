package io.github.penstock.core.reserve;

import java.util.concurrent.CompletionStage;

/**
 * A {@link ConcurrencyLimiter} for asynchronous clients.
 *
 * @param reservations the reservations that hold the places
 * @param limit the number of places
 */
public record AsyncConcurrencyLimiter(AsyncReservations reservations, NamedLimit limit) {
  /** Requests one place. */
  public CompletionStage<AsyncReservation> tryAcquire(String subject) {
    return reservations.reserve(subject, limit.reserve());
  }

  /**
   * Requests one place with an id; see {@link Reservations#reserve(CallId, String, CallEntry...)}.
   */
  public CompletionStage<AsyncReservation> tryAcquire(CallId id, String subject) {
    return reservations.reserve(id, subject, limit.reserve());
  }
}
