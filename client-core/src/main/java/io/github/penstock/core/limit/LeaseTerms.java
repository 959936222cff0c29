package io.github.penstock.core.limit;

import java.time.Duration;
import java.util.Objects;

/**
 * The number of units that a process can charge in advance for a subject, and how long it can hold
 * them.
 *
 * <p>Calls that use held units need no round trip. In exchange, a token bucket can admit more units
 * in an interval than without leases. The difference is at most the number of units that refill in
 * {@code atMost}. A window never admits more than its limit. Calls in other processes can also be
 * denied while this process holds unused units. The number of units denied for this reason is at
 * most the number of units that all processes hold together. Leases are useful for a few subjects
 * with very many calls.
 *
 * @param most the maximum number of units in a lease, 2 to 10^12
 * @param atMost the longest time that the units are held, 1 ms to 1 hour
 */
public record LeaseTerms(long most, Duration atMost) {
  /**
   * @throws IllegalArgumentException if an argument is out of bounds
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
