package io.github.penstock.core.limit;

import java.time.Duration;
import java.util.Objects;

/**
 * How many units a process may charge in advance for a subject, and how long it may hold them.
 *
 * <p>Held units are granted without a round trip. In exchange, a token bucket may admit more units
 * in an interval than without leases, by at most the number that refills in {@code atMost}; a
 * window never admits more than its limit. Calls in other processes may also be denied while this
 * process holds unused units. At most as many units are denied in this way as all processes hold
 * together. Leases are useful for a few subjects with very many calls.
 *
 * @param most the maximum number of units in a lease, 2 to 10^12
 * @param atMost the longest time for which the units are held, 1 ms to 1 hour
 */
public record LeaseTerms(long most, Duration atMost) {
  /**
   * @throws IllegalArgumentException if a number is out of bounds
   */
  public LeaseTerms {
    if (most < 2 || most > Limit.MAX_UNITS) {
      throw new IllegalArgumentException("most must be from 2 to " + Limit.MAX_UNITS + ": " + most);
    }
    Objects.requireNonNull(atMost, "atMost");
    if (atMost.compareTo(Duration.ofMillis(1)) < 0 || atMost.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("atMost must be from 1 ms to 1 hour: " + atMost);
    }
  }
}
