package io.github.penstock.core.limit;

/** How the units of a tier come back. */
public enum RefillForm {
  /** One after the other, each as long after the one before. */
  EVENLY,
  /** Several at a time, at the end of each period. */
  IN_BATCHES,
  /** All at once, at the end of the window. */
  AT_END,
  /** As the older of two adjoining windows moves out of sight. */
  FADING
}
