package io.github.penstock.core.limit;

import java.time.Duration;
import java.util.List;

/**
 * At most {@code limit} units in a window that slides along with the time.
 *
 * <p>Units are counted in two adjoining windows, the first of which begins with the first charge.
 * The older one counts with the part of it that is still in sight, exactly, so that the burst at a
 * {@link FixedWindow}'s edge is not there: {@code SlidingWindow.of(1000, Duration.ofMinutes(1))}
 * takes 1,000 units at once, and half a minute into the next window there is room for 500.
 *
 * @param tiers 1 to 16 limits, all of which must admit a call
 */
public record SlidingWindow(List<Tier> tiers) implements Limit {
  /**
   * @throws IllegalArgumentException if there are no tiers or more than 16
   */
  public SlidingWindow {
    tiers = LimitBounds.tiers(tiers);
  }

  /**
   * One window.
   *
   * @param limit units in sight of the window, 1 to 10^12
   * @param window how long the window is, 1 microsecond to 366 days, whole microseconds
   */
  public record Tier(long limit, Duration window) {
    /**
     * @throws IllegalArgumentException if a number is out of bounds; the message names it
     */
    public Tier {
      LimitBounds.units("limit", limit);
      LimitBounds.period("window", window);
    }

    LimitRate rate() {
      return new LimitRate(limit, limit, window);
    }

    /** The tier as its limit's text has it, such as {@code 1000/1m}. */
    @Override
    public String toString() {
      return rate().toString();
    }
  }

  /**
   * One tier of {@code limit} units per {@code window}.
   *
   * @throws IllegalArgumentException as {@link Tier} does
   */
  public static SlidingWindow of(long limit, Duration window) {
    return new SlidingWindow(List.of(new Tier(limit, window)));
  }

  /**
   * This limit and the other one: a call needs room in both.
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

  @Override
  public List<LimitRate> rates() {
    return tiers.stream().map(Tier::rate).toList();
  }

  /** The limit as text, such as {@code sliding-window:1000/1m}. */
  @Override
  public String toString() {
    return LimitBounds.text(this);
  }
}
