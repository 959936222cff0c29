package io.github.penstock.core.limit;

import java.time.Duration;
import java.util.Objects;

/**
 * How many units a process may charge ahead for a subject, and how long it may hold them.
 *
 * <p>Units that are held are handed out without asking the server. In return, any interval of a
 * token bucket may admit more than without leases, by what refills in {@code atMost} (a window
 * never admits more than its limit), and others may be denied while units lie here unused: at most
 * the sum of what all processes hold. Worth it for a few subjects with very many calls.
 *
 * @param most units of one lease, 2 to 10^12
 * @param atMost how long they are held at most, 1 ms to 1 hour
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
