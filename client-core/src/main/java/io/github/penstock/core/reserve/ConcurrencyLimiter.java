package io.github.penstock.core.reserve;

/**
 * A limit of the concurrent calls of one subject. A permit is a {@link Reservation}: close it, or
 * renew it before its time ends; the permit of a crashed process is free again at that time. Safe
 * for use by several threads.
 *
 * @param reservations the reservations that hold the places
 * @param limit the number of places
 */
public record ConcurrencyLimiter(Reservations reservations, NamedLimit limit) {
  /** Requests one place. */
  public Reservation tryAcquire(String subject) {
    return reservations.reserve(subject, limit.reserve());
  }

  /**
   * Requests one place with an id; see {@link Reservations#reserve(CallId, String, CallEntry...)}.
   */
  public Reservation tryAcquire(CallId id, String subject) {
    return reservations.reserve(id, subject, limit.reserve());
  }
}
