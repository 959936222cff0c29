package io.github.penstock.core.reserve;

/** The result of a settlement. */
public enum SettleResult {
  /** It is done, by this call or before. */
  SETTLED,
  /**
   * There is no such reservation: it ran out, and what was held was charged at that time, or the
   * server lost it. Nothing was written.
   */
  RAN_OUT,
  /**
   * Nothing was sent, because this object holds nothing: the call was denied or undecided, or
   * reserves nothing, or was ended before.
   */
  NOTHING_HELD,
  /**
   * No answer came, and {@code onUnavailable} or {@code onOverload} does not throw. What is held
   * runs out at its time, and is charged then, unless the settlement did arrive.
   */
  UNDECIDED
}
