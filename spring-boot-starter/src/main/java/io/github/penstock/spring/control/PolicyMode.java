package io.github.penstock.spring.control;

/** The state of a policy. */
public enum PolicyMode {
  /** It decides, charges and denies. */
  ENFORCED,
  /** It decides and charges, but never denies. */
  DRY_RUN,
  /** It neither decides nor charges: requests pass. */
  OFF
}
