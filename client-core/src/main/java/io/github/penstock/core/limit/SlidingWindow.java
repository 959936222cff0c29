package io.github.penstock.core.limit;

import java.time.Duration;

/**
 * At most {@code limit} units in a window that slides with time.
 *
 * <p>Units are counted in two adjoining windows, the first of which begins with the first charge.
 * The older window counts in exact proportion to the part that is still in sight, which prevents
 * the double burst at a {@link FixedWindow}'s edge: {@code SlidingWindow.of(1000,
 * Duration.ofMinutes(1))} takes 1,000 units at once, and half a minute into the next window 500
 * units are available.
 */
public final class SlidingWindow {
  private SlidingWindow() {}

  /**
   * One tier of {@code limit} units per {@code window}.
   *
   * @param limit units in sight of the window, 1 to 10^12
   * @param window the length of the window, 1 microsecond to 366 days, whole microseconds
   * @throws IllegalArgumentException if a number is out of bounds; the message names it
   */
  public static Limit of(long limit, Duration window) {
    return LimitBounds.one(LimitKind.SLIDING_WINDOW, limit, "limit", limit, "window", window);
  }
}
