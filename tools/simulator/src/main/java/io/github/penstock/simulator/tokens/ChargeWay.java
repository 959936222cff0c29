package io.github.penstock.simulator.tokens;

/** The way in which a limiter charges a call whose cost is known only at its end. */
public enum ChargeWay {
  /** Admits a call while any units are free, and charges its actual use at its end. */
  AFTERWARDS("charged afterwards"),
  /** Takes the estimate, and leaves it at that. */
  ESTIMATE("charged by estimate"),
  /** Charges the estimate, and at the end refunds the unused part, or charges the rest. */
  REFUND("estimate, late refund"),
  /** Holds the estimate until the end, and then charges the actual use. */
  RESERVED("reserved");

  private final String title;

  ChargeWay(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
