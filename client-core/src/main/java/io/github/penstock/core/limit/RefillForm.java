package io.github.penstock.core.limit;

/** The way in which the units of a tier refill. */
public enum RefillForm {
  /** One at a time, at equal intervals. */
  EVENLY,
  /** Several at a time, at the end of each period. */
  IN_BATCHES,
  /** All at once, at the end of the window. */
  AT_END,
  /** As the older of two adjoining windows slides out of sight. */
  FADING
}
