package io.github.penstock.core.reserve;

/** The result of a settlement. */
public enum SettleResult {
  /** It is done, by this call or an earlier one. */
  SETTLED,
  /**
   * The reservation no longer exists: it expired, and its held units were charged at that time, or
   * the server lost it. Nothing was written.
   */
  RAN_OUT,
  /**
   * Nothing was sent, because this object holds nothing: the call was denied or undecided, reserves
   * nothing, or was ended before.
   */
  NOTHING_HELD,
  /**
   * No answer arrived, and {@code onUnavailable} or {@code onOverload} does not throw. The held
   * units expire at their time and are charged then, unless the settlement did arrive.
   */
  UNDECIDED
}
