package io.github.penstock.core.reserve;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * What is left of one entry's limit after a call. Immutable.
 *
 * @param entry the entry
 * @param limit limit or capacity of the tier that is reported, in units
 * @param remaining units that are free, never negative; what is held counts as used
 * @param held units that are held now, by all calls; 0 of an entry that charges
 * @param resetMicros microseconds until the tier is entirely unused; what is held counts as used
 * @param tier which tier, from 1: the one with the fewest units remaining, or the one that denied
 */
public record EntryUsage(
    CallEntry entry, long limit, long remaining, long held, long resetMicros, int tier) {
  /**
   * @throws IllegalArgumentException if a number is negative, or the limit or the tier below 1
   */
  public EntryUsage {
    if (limit < 1 || remaining < 0 || held < 0 || resetMicros < 0 || tier < 1) {
      throw new IllegalArgumentException(
          "usage must not be negative: %d %d %d %d %d"
              .formatted(limit, remaining, held, resetMicros, tier));
    }
  }

  /** Returns how long until the tier is entirely unused. */
  public Duration resetAfter() {
    return Duration.of(resetMicros, ChronoUnit.MICROS);
  }
}
