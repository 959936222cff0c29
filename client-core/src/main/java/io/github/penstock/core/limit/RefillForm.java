package io.github.penstock.core.limit;

/** How the units of a tier refill. */
public enum RefillForm {
  /** One unit at a time, at equal intervals. */
  EVENLY,
  /** Several units at a time, at the end of each period. */
  IN_BATCHES,
  /** All units at once, at the end of the window. */
  AT_END,
  /** Gradually, as the older of two adjacent windows slides out. */
  FADING
}
