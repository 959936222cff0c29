package io.github.penstock.core.reserve;

import java.time.Duration;

/**
 * Makes one decision under several limits of one group, in a single call. Blocking and thread-safe.
 *
 * <p>A group is the entity that all limits of a call apply to, such as a tenant; an entry applies
 * to the group as a whole or to one of its members. Either all entries are charged or held, or none
 * is. Groups have the same syntax as subjects; a call has 1 to 8 entries with different keys. A
 * denial is a return value, never an exception.
 *
 * <p>An attempt that fails because of an outage is retried with the same id, until the deadline of
 * {@link io.github.penstock.core.RateLimiterOptions}; the id ensures that it is charged at most
 * once. If no decision can be made, {@code onUnavailable} and {@code onOverload} determine the
 * result. Every method throws the same exceptions as {@link io.github.penstock.core.RateLimiter}.
 */
public interface Reservations {
  /** Returns the name, for listeners and logs. */
  String name();

  /** Returns how long a call holds its units if it is neither settled nor renewed. */
  Duration keep();

  /**
   * Charges or holds the units of all entries of a call, or of none, under an id that the library
   * generates.
   *
   * @param group the group of the call; at least one character, well-formed UTF-16
   * @param entries 1 to 8 entries with different keys
   * @throws IllegalArgumentException if there are fewer than 1 or more than 8 entries, or two have
   *     the same key
   */
  default Reservation reserve(String group, CallEntry... entries) {
    return reserve(CallId.random(), group, entries);
  }

  /**
   * Charges or holds the units of all entries of a call, or of none, under an id. A repeated call
   * with this id, group and entries returns the same answer, changes nothing, and refers to the
   * same reservation until that ends or expires.
   *
   * @throws io.github.penstock.core.ScriptRefusedException if the id belongs to a different call,
   *     or to one that has ended
   */
  Reservation reserve(CallId id, String group, CallEntry... entries);
}
