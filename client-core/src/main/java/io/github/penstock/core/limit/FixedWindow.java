package io.github.penstock.core.limit;

import java.time.Duration;

/**
 * A limit of {@code limit} units per window; a window opens with the first charge after the
 * previous window has ended.
 *
 * <p>It is cheap and easy to explain, but weak at the edges: up to twice the limit can pass within
 * one window's length, around the end of one window and the start of the next. {@code
 * FixedWindow.of(1000, Duration.ofSeconds(3))} admits 1,000 units in each window of 3 seconds.
 */
public final class FixedWindow {
  private FixedWindow() {}

  /**
   * Returns a limit of {@code limit} units per {@code window}.
   *
   * @param limit the units per window, 1 to 10^12
   * @param window the length of a window, 1 microsecond to 366 days, whole microseconds
   * @throws IllegalArgumentException if a number is out of bounds; the message names it
   */
  public static Limit of(long limit, Duration window) {
    return LimitBounds.one(LimitKind.FIXED_WINDOW, limit, "limit", limit, "window", window);
  }
}
