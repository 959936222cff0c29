package io.github.penstock.core.reserve;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The usage of an entry's limit after a call. Immutable.
 *
 * @param entry the entry
 * @param limit the limit or capacity of the reported tier, in units
 * @param remaining the number of available units, never negative; held units count as used
 * @param held the number of units that unsettled calls hold; 0 if the entry charges its units
 * @param resetMicros the time until the reported tier is back at full capacity, in microseconds;
 *     held units count as used
 * @param tier the index of the reported tier, from 1. If this limit denied the call, this is the
 *     tier that denied it. Otherwise, it is the tier with the fewest units remaining
 */
public record EntryUsage(
    EntryCost entry, long limit, long remaining, long held, long resetMicros, int tier) {
  /**
   * @throws IllegalArgumentException if a number is negative, or if the limit or the tier is below
   *     1
   */
  public EntryUsage {
    if (limit < 1 || remaining < 0 || held < 0 || resetMicros < 0 || tier < 1) {
      throw new IllegalArgumentException(
          "usage must not be negative: %d %d %d %d %d"
              .formatted(limit, remaining, held, resetMicros, tier));
    }
  }

  /** Returns the time until the reported tier is back at full capacity. */
  public Duration resetAfter() {
    return Duration.of(resetMicros, ChronoUnit.MICROS);
  }
}
