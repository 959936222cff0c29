package io.github.penstock.core.reserve;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The usage of one entry's limit after a call. Immutable.
 *
 * @param entry the entry
 * @param limit limit or capacity of the reported tier, in units
 * @param remaining units that are free, never negative; held units count as used
 * @param held units that all calls hold now; 0 for an entry that charges
 * @param resetMicros microseconds until the tier is entirely unused; held units count as used
 * @param tier the index of the reported tier, from 1: the one with the fewest units remaining, or
 *     the one that denied
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

  /** Returns the time until the tier is entirely unused. */
  public Duration resetAfter() {
    return Duration.of(resetMicros, ChronoUnit.MICROS);
  }
}
