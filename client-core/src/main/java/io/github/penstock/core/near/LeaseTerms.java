package io.github.penstock.core.near;

import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.SlidingWindow;
import io.github.penstock.core.limit.TokenBucket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How many units a process may charge ahead for a subject, and how long it may hold them.
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
    if (atMost.compareTo(Duration.ofMillis(1)) < 0 || atMost.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("atMost must be from 1 ms to 1 hour: " + atMost);
    }
  }

  /** Whether units of such a limit may be leased (rule L7). */
  static boolean mayLease(Limit limit) {
    return limit instanceof FixedWindow fixed && fixed.tiers().size() == 1
        || limit instanceof SlidingWindow sliding && sliding.tiers().size() == 1
        || limit instanceof TokenBucket bucket && bucket.tiers().size() == 1;
  }

  /**
   * How long units live from before they were asked for, in nanoseconds: at most as agreed, and in
   * a window no longer than the window in which they were charged (rules L2 and L3). A thousandth
   * less, because our clock may differ by that from the server's.
   *
   * @param resetMicros of the answer that charged them
   */
  long lifeNanos(Limit limit, long resetMicros) {
    long leftMicros = Long.MAX_VALUE;
    if (limit instanceof FixedWindow) {
      leftMicros = resetMicros;
    } else if (limit instanceof SlidingWindow sliding) {
      leftMicros = resetMicros - TimeUnit.MICROSECONDS.convert(sliding.tiers().get(0).window());
    }
    return Math.min(TimeUnit.MICROSECONDS.convert(atMost), leftMicros) * 999;
  }
}
