package io.github.penstock.core.reserve;

import java.time.Duration;

/**
 * Decides several limits of one group in one call. Blocking; safe for use by several threads.
 *
 * <p>A group is whom all limits of a call are about, such as a tenant; an entry counts the group
 * itself or one within it. All entries are charged and held, or none. Groups are texts as subjects
 * are; a call has 1 to 8 entries, all of different keys. A denial is a value.
 *
 * <p>A call is sent again after an outage, with the same id, until the deadline of {@link
 * io.github.penstock.core.RateLimiterOptions}; so it is charged at most once. If no decision could
 * be made, it ends as {@code onUnavailable} and {@code onOverload} say. Every method throws as
 * {@link io.github.penstock.core.RateLimiter} does.
 */
public interface Reservations {
  /** The name, for listeners and logs. */
  String name();

  /** Returns for how long a call holds its units if it is neither settled nor renewed. */
  Duration keep();

  /**
   * Asks for all entries of a call, with an id of the library's.
   *
   * @param group whom the call is about; at least one character, well-formed UTF-16
   * @param entries 1 to 8, of different keys
   * @throws IllegalArgumentException if they are none or too many, or two have the same key
   */
  default Reservation reserve(String group, CallEntry... entries) {
    return reserve(CallId.random(), group, entries);
  }

  /**
   * The same with an id. The same id with the same group and entries is answered again and changes
   * nothing, and finds the reservation again, as long as it is neither ended nor has run out.
   *
   * @throws io.github.penstock.core.ScriptRefusedException if the id is that of another call, or of
   *     one that was ended
   */
  Reservation reserve(CallId id, String group, CallEntry... entries);
}
