package io.github.penstock.core.reserve;

/**
 * A limit of what one subject has in flight. A permit is a {@link Reservation}: closed, or renewed
 * before its time ends; that of a process that dies is free again at its end. Safe for use by
 * several threads.
 *
 * @param reservations where places are held
 * @param limit how many there are
 */
public record ConcurrencyLimiter(Reservations reservations, NamedLimit limit) {
  /** Asks for one place. */
  public Reservation tryAcquire(String subject) {
    return reservations.reserve(subject, limit.reserve());
  }

  /** The same with an id; see {@link Reservations#reserve(CallId, String, CallEntry...)}. */
  public Reservation tryAcquire(CallId id, String subject) {
    return reservations.reserve(id, subject, limit.reserve());
  }
}
