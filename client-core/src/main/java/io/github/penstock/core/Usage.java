package io.github.penstock.core;

import io.github.penstock.core.limit.LeakyBucket;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The usage of a limit by one subject: the result of a peek or a refund. Immutable.
 *
 * @param limit the limit or capacity of the tier with the fewest units remaining, at least 1
 * @param remaining the whole units of that tier that are available, never negative
 * @param waitMicros the time by which an allowed call would be delayed, in microseconds, never
 *     negative; {@link #delay()} is derived from it
 * @param resetMicros the time until that tier is back at full capacity, in microseconds, never
 *     negative
 * @param tier the index of that tier, from 1
 */
public record Usage(long limit, long remaining, long waitMicros, long resetMicros, int tier) {
  /**
   * @throws IllegalArgumentException if a number is out of its bounds; the message names it
   */
  public Usage {
    Decision.check(limit, remaining, resetMicros, tier);
    Decision.check(waitMicros >= 0, "waitMicros must not be negative: ", waitMicros);
  }

  /**
   * Returns how long an allowed call would wait in a {@link LeakyBucket}'s queue; zero for other
   * limits.
   */
  public Duration delay() {
    return Duration.of(waitMicros, ChronoUnit.MICROS);
  }

  /**
   * Returns the time until that tier is back at full capacity; zero if it is already at full
   * capacity.
   */
  public Duration resetAfter() {
    return Duration.of(resetMicros, ChronoUnit.MICROS);
  }
}
