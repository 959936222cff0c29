package io.github.penstock.core.reserve;

import java.time.Duration;

/**
 * Makes one decision under several limits of one group in a single call. Blocking and thread-safe.
 *
 * <p>A group is the entity that all limits of a call apply to, such as a tenant. An entry applies
 * to the group as a whole or to one of its members. An allowed call charges or holds the units of
 * every entry; a denied call takes nothing. Groups have the same syntax as subjects. A call has 1
 * to 8 entries with different keys. A denial is a return value, never an exception.
 *
 * <p>If an attempt fails because of an outage, it is retried with the same id until the {@link
 * io.github.penstock.core.RateLimiterOptions#deadline() deadline}. The id ensures that the call is
 * charged at most once. If no decision can be made, {@code onUnavailable} and {@code onOverload}
 * determine the result. Every method throws the same exceptions as {@link
 * io.github.penstock.core.RateLimiter}.
 */
public interface Reservations {
  /** Returns the name that is used in events and logs. */
  String name();

  /** Returns how long a call holds its units if it is neither settled nor renewed. */
  Duration keep();

  /**
   * Charges or holds the units of all entries if every limit allows the call. The library generates
   * the id of the call.
   *
   * @param group the group of the call; at least one character, well-formed UTF-16
   * @param entries 1 to 8 entries with different keys
   * @throws IllegalArgumentException if there are fewer than 1 or more than 8 entries, or if two
   *     entries have the same key
   */
  default Reservation reserve(String group, EntryCost... entries) {
    return reserve(CallId.random(), group, entries);
  }

  /**
   * Charges or holds the units of all entries if every limit allows the call. Until the reservation
   * ends or expires, a repeated call with the same id, group and entries changes nothing. It
   * returns the same answer and refers to the same reservation.
   *
   * @throws io.github.penstock.core.ScriptRefusedException if the id belongs to a different call or
   *     to a call that has ended
   */
  Reservation reserve(CallId id, String group, EntryCost... entries);
}
