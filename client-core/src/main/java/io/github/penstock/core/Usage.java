package io.github.penstock.core;

import io.github.penstock.core.limit.LeakyBucket;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The usage of a limit by one subject, as returned by a peek or a refund. Immutable.
 *
 * @param limit the limit or capacity of the reported tier, at least 1. The reported tier is the
 *     tier with the fewest units remaining
 * @param remaining the number of whole units that are available in the reported tier, never
 *     negative
 * @param waitMicros the delay of a call that is allowed now, in microseconds, never negative.
 *     {@link #delay()} is derived from this value
 * @param resetMicros the time until the reported tier is back at full capacity, in microseconds,
 *     never negative
 * @param tier the index of the reported tier, from 1
 */
public record Usage(long limit, long remaining, long waitMicros, long resetMicros, int tier) {
  /**
   * @throws IllegalArgumentException if a number is out of bounds; the message names the number
   */
  public Usage {
    Decision.check(limit, remaining, resetMicros, tier);
    Decision.check(waitMicros >= 0, "waitMicros must not be negative: ", waitMicros);
  }

  /**
   * Returns how long a call that is allowed now waits in the queue of a {@link LeakyBucket}; zero
   * for other limits.
   */
  public Duration delay() {
    return Duration.of(waitMicros, ChronoUnit.MICROS);
  }

  /**
   * Returns the time until the reported tier is back at full capacity, or zero if it already is.
   */
  public Duration resetAfter() {
    return Duration.of(resetMicros, ChronoUnit.MICROS);
  }
}
