package io.github.penstock.core.limit;

import java.time.Duration;

/**
 * A limit of {@code limit} units in a window that slides with time.
 *
 * <p>Units are counted in two adjacent windows, the first of which begins with the first charge.
 * The older window counts in exact proportion to the part of it that is still covered, which
 * prevents the double burst at a {@link FixedWindow}'s edge. {@code SlidingWindow.of(1000,
 * Duration.ofMinutes(1))} admits 1,000 units at once; half a minute into the next window, 500 units
 * are available.
 */
public final class SlidingWindow {
  private SlidingWindow() {}

  /**
   * Returns a limit of {@code limit} units per sliding {@code window}.
   *
   * @param limit the units per window, 1 to 10^12
   * @param window the length of the window, 1 microsecond to 366 days, whole microseconds
   * @throws IllegalArgumentException if a number is out of bounds; the message names it
   */
  public static Limit of(long limit, Duration window) {
    return LimitBounds.one(LimitKind.SLIDING_WINDOW, limit, "limit", limit, "window", window);
  }
}
