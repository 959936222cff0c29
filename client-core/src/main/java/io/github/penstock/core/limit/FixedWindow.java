package io.github.penstock.core.limit;

import java.time.Duration;
import java.util.List;

/**
 * At most {@code limit} units per window; a window opens with the first charge after the last one
 * ended.
 *
 * <p>Cheap and easy to explain, and weak at the edges: up to twice the limit can pass within one
 * window's length, at the end of one window and the start of the next. {@code FixedWindow.of(1000,
 * Duration.ofSeconds(3))} admits 1,000 units in any window of 3 seconds that it opened.
 *
 * @param tiers 1 to 16 limits, all of which must admit a call
 */
public record FixedWindow(List<LimitTier> tiers) implements Limit {
  /**
   * @throws IllegalArgumentException if there are no tiers or more than 16, or if one has a
   *     capacity other than its units
   */
  public FixedWindow {
    tiers = LimitBounds.tiers(tiers, LimitBounds::window);
  }

  /**
   * One tier of {@code limit} units per {@code window}.
   *
   * @param limit units per window, 1 to 10^12
   * @param window how long a window lasts, 1 microsecond to 366 days, whole microseconds
   * @throws IllegalArgumentException if a number is out of bounds; the message names it
   */
  public static FixedWindow of(long limit, Duration window) {
    return new FixedWindow(List.of(LimitBounds.tier(limit, "limit", limit, "window", window)));
  }

  /**
   * Combines this limit with another one: a call needs room in both.
   *
   * @throws IllegalArgumentException if that makes more than 16 tiers
   */
  public FixedWindow and(FixedWindow other) {
    return new FixedWindow(LimitBounds.joined(tiers, other.tiers));
  }

  @Override
  public String algorithm() {
    return "fixed-window";
  }

  /** The limit as text, such as {@code fixed-window:1000/1m}. */
  @Override
  public String toString() {
    return LimitBounds.text(this);
  }
}
