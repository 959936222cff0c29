package io.github.penstock.core.reserve;

import java.time.Duration;

/**
 * Decides several limits of one group in one call. Blocking; safe for use by several threads.
 *
 * <p>A group is the entity that all limits of a call apply to, such as a tenant; an entry counts
 * the group itself or one member of it. All entries are charged and held, or none. Groups have the
 * same syntax as subjects; a call has 1 to 8 entries with different keys. A denial is a value.
 *
 * <p>After an outage a call is sent again with the same id, until the deadline of {@link
 * io.github.penstock.core.RateLimiterOptions}; the id ensures that it is charged at most once. If
 * no decision could be made, {@code onUnavailable} and {@code onOverload} determine the outcome.
 * Every method throws as {@link io.github.penstock.core.RateLimiter} does.
 */
public interface Reservations {
  /** The name, for listeners and logs. */
  String name();

  /** Returns the time for which a call holds its units if it is neither settled nor renewed. */
  Duration keep();

  /**
   * Requests all entries of a call, with an id that the library generates.
   *
   * @param group the group of the call; at least one character, well-formed UTF-16
   * @param entries 1 to 8, of different keys
   * @throws IllegalArgumentException if there are fewer than 1 or more than 8, or two have the same
   *     key
   */
  default Reservation reserve(String group, CallEntry... entries) {
    return reserve(CallId.random(), group, entries);
  }

  /**
   * Requests all entries of a call with an id. A repeated call with the same id, group and entries
   * returns the same answer, changes nothing, and refers to the same reservation until that is
   * ended or has expired.
   *
   * @throws io.github.penstock.core.ScriptRefusedException if the id is that of another call, or of
   *     one that was ended
   */
  Reservation reserve(CallId id, String group, CallEntry... entries);
}
