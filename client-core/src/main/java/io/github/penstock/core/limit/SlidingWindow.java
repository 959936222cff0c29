package io.github.penstock.core.limit;

import java.time.Duration;

/**
 * A limit on the number of units in a sliding time window.
 *
 * <p>Units are counted in two adjacent windows. The first window begins with the first charge. The
 * units of the older window count in exact proportion to its overlap with the sliding window. This
 * weighting prevents the double burst at the edge of a {@link FixedWindow}. {@code
 * SlidingWindow.of(1000, Duration.ofMinutes(1))} admits 1,000 units at once. Half a minute into the
 * next window, 500 units are available.
 */
public final class SlidingWindow {
  private SlidingWindow() {}

  /**
   * Returns a limit of {@code limit} units per sliding {@code window}.
   *
   * @param limit the number of units per window, 1 to 10^12
   * @param window the length of the window, 1 microsecond to 366 days, in whole microseconds
   * @throws IllegalArgumentException if an argument is out of bounds; the message names the
   *     argument
   */
  public static Limit of(long limit, Duration window) {
    return LimitBounds.one(LimitKind.SLIDING_WINDOW, limit, "limit", limit, "window", window);
  }
}
