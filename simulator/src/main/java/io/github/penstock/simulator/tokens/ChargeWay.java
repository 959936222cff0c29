package io.github.penstock.simulator.tokens;

/** How a limiter takes what a call costs, though that is known only at its end. */
public enum ChargeWay {
  /** Lets a call begin while anything is left, and takes what it used at its end. */
  AFTERWARDS("charged afterwards"),
  /** Takes the estimate, and leaves it at that. */
  ESTIMATE("charged by estimate"),
  /** Takes the estimate, and gives back at the end what was not used, or takes the rest. */
  REFUND("estimate, late refund"),
  /** Holds the estimate until the end, and takes then what was used. */
  RESERVED("reserved");

  private final String title;

  ChargeWay(String title) {
    this.title = title;
  }

  /** A few words. */
  public String title() {
    return title;
  }
}
