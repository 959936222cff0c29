package io.github.penstock.core.reserve;

/**
 * Limits the number of concurrent calls of each subject. A permit is a {@link Reservation}. Close
 * it when the call ends. If a call can take longer than {@link Reservations#keep()}, renew its
 * permit before the permit expires. If the process crashes, its permits expire and become available
 * again. Thread-safe.
 *
 * @param reservations the reservations that hold the permits
 * @param limit the limit on the number of concurrent calls
 */
public record ConcurrencyLimiter(Reservations reservations, EntryLimit limit) {
  /** Requests one permit for a subject. */
  public Reservation tryAcquire(String subject) {
    return reservations.reserve(subject, limit.reserve());
  }

  /**
   * Requests one permit under this id; see {@link Reservations#reserve(CallId, String,
   * EntryCost...)}.
   */
  public Reservation tryAcquire(CallId id, String subject) {
    return reservations.reserve(id, subject, limit.reserve());
  }
}
