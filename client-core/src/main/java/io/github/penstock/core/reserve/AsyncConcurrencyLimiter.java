package io.github.penstock.core.reserve;

import java.util.concurrent.CompletionStage;

/**
 * A {@link ConcurrencyLimiter} for asynchronous clients.
 *
 * @param reservations where places are held
 * @param limit how many there are
 */
public record AsyncConcurrencyLimiter(AsyncReservations reservations, NamedLimit limit) {
  /** Asks for one place. */
  public CompletionStage<AsyncReservation> tryAcquire(String subject) {
    return reservations.reserve(subject, limit.reserve());
  }

  /** The same with an id; see {@link Reservations#reserve(CallId, String, CallEntry...)}. */
  public CompletionStage<AsyncReservation> tryAcquire(CallId id, String subject) {
    return reservations.reserve(id, subject, limit.reserve());
  }
}
