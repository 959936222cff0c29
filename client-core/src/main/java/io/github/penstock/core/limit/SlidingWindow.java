package io.github.penstock.core.limit;

import java.time.Duration;
import java.util.List;

/**
 * At most {@code limit} units in a window that slides along with the time.
 *
 * <p>Units are counted in two adjoining windows, the first of which begins with the first charge.
 * The older one counts in proportion to the part that is still in sight, exactly, which prevents
 * the double burst at a {@link FixedWindow}'s edge: {@code SlidingWindow.of(1000,
 * Duration.ofMinutes(1))} takes 1,000 units at once, and half a minute into the next window there
 * is room for 500.
 *
 * @param tiers 1 to 16 limits, all of which must admit a call
 */
public record SlidingWindow(List<LimitTier> tiers) implements Limit {
  /**
   * @throws IllegalArgumentException if there are no tiers or more than 16, or if one has a
   *     capacity other than its units
   */
  public SlidingWindow {
    tiers = LimitBounds.tiers(tiers, LimitBounds::window);
  }

  /**
   * One tier of {@code limit} units per {@code window}.
   *
   * @param limit units in sight of the window, 1 to 10^12
   * @param window how long the window is, 1 microsecond to 366 days, whole microseconds
   * @throws IllegalArgumentException if a number is out of bounds; the message names it
   */
  public static SlidingWindow of(long limit, Duration window) {
    return new SlidingWindow(List.of(LimitBounds.tier(limit, "limit", limit, "window", window)));
  }

  /**
   * Combines this limit with another one: a call needs room in both.
   *
   * @throws IllegalArgumentException if that makes more than 16 tiers
   */
  public SlidingWindow and(SlidingWindow other) {
    return new SlidingWindow(LimitBounds.joined(tiers, other.tiers));
  }

  @Override
  public String algorithm() {
    return "sliding-window";
  }

  /** The limit as text, such as {@code sliding-window:1000/1m}. */
  @Override
  public String toString() {
    return LimitBounds.text(this);
  }
}
