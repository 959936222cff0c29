package io.github.penstock.testkit.model;

/** The bounds of protocol 1. */
public final class ProtocolBounds {
  /** The most units of a limit, a capacity, a refill, a cost, or a stored count. */
  static final long MOST_UNITS = 1_000_000_000_000L;

  /** 366 days, the longest window or period. */
  public static final long LONGEST_US = 366 * 86_400_000_000L;

  /** 100 years of 365.25 days, the longest time in which a full bucket may refill or drain. */
  public static final long CENTURY_US = 36_525 * 86_400_000_000L;

  /** The first time of all, in September 2001. */
  public static final long FIRST_US = 1_000_000_000_000_000L;

  /** The end of the callers' times. */
  public static final long NOW_END = 1L << 52;

  /** The end of the exact integers, and of the stored times. */
  public static final long EXACT_END = 1L << 53;

  /** The end of the expiry times of reservations, and of the total that a key holds. */
  public static final long HELD_END = (1L << 52) + (1L << 45);

  /** The padding of the time to live of a state that was written at the caller's time. */
  public static final long PADDING_MS = 60_000;

  static final int MOST_TIERS = 16;

  private ProtocolBounds() {}
}
