package io.github.penstock.core.limit;

import java.time.Duration;

/**
 * A limit on the number of units in each window. A window begins with the first charge after the
 * previous window has ended.
 *
 * <p>A fixed window is cheap and easy to explain, but it allows bursts at the edges. At the end of
 * one window and the start of the next, it can admit up to twice the limit within one window's
 * length. {@code FixedWindow.of(1000, Duration.ofSeconds(3))} admits 1,000 units in each window of
 * 3 seconds.
 */
public final class FixedWindow {
  private FixedWindow() {}

  /**
   * Returns a limit of {@code limit} units per {@code window}.
   *
   * @param limit the number of units per window, 1 to 10^12
   * @param window the length of a window, 1 microsecond to 366 days, in whole microseconds
   * @throws IllegalArgumentException if an argument is out of bounds; the message names the
   *     argument
   */
  public static Limit of(long limit, Duration window) {
    return LimitBounds.one(LimitKind.FIXED_WINDOW, limit, "limit", limit, "window", window);
  }
}
