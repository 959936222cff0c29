package io.github.penstock.core.reserve;

import java.util.concurrent.CompletionStage;

/**
 * The asynchronous variant of {@link ConcurrencyLimiter}.
 *
 * @param reservations the reservations that hold the permits
 * @param limit the limit on the number of concurrent calls
 */
public record AsyncConcurrencyLimiter(AsyncReservations reservations, EntryLimit limit) {
  /** Requests one permit for a subject. */
  public CompletionStage<AsyncReservation> tryAcquire(String subject) {
    return reservations.reserve(subject, limit.reserve());
  }

  /**
   * Requests one permit under this id; see {@link Reservations#reserve(CallId, String,
   * EntryCost...)}.
   */
  public CompletionStage<AsyncReservation> tryAcquire(CallId id, String subject) {
    return reservations.reserve(id, subject, limit.reserve());
  }
}
