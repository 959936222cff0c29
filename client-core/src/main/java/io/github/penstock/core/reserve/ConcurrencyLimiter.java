package io.github.penstock.core.reserve;

/**
 * Limits the number of concurrent calls of each subject. A permit is a {@link Reservation}: close
 * it when the call ends. If the call may outlast {@link Reservations#keep()}, renew the permit
 * before it expires. If the process crashes, its permits expire and become available again.
 * Thread-safe.
 *
 * @param reservations the reservations that hold the permits
 * @param limit the maximum number of concurrent calls
 */
public record ConcurrencyLimiter(Reservations reservations, NamedLimit limit) {
  /** Requests one permit. */
  public Reservation tryAcquire(String subject) {
    return reservations.reserve(subject, limit.reserve());
  }

  /**
   * Requests one permit with an id; see {@link Reservations#reserve(CallId, String, CallEntry...)}.
   */
  public Reservation tryAcquire(CallId id, String subject) {
    return reservations.reserve(id, subject, limit.reserve());
  }
}
