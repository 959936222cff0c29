package io.github.penstock.spring.control;

/** What a policy does about the requests that it selects. */
public enum PolicyMode {
  /** It decides, charges and denies. */
  ENFORCED,
  /** It decides and charges, and never denies. */
  DRY_RUN,
  /** It neither decides nor charges: requests pass. */
  OFF
}
