package io.github.penstock.core;

/** The origin of a {@link Decision}. */
public enum DecisionSource {
  /** The server made the decision. */
  SERVER,
  /**
   * This process denied the call because the server recently denied the same call. {@code
   * remaining} has the value from the server's denial. The wait and the reset are reduced by the
   * time since that denial.
   */
  REMEMBERED,
  /**
   * This process allowed the call from units that the server had charged in advance. {@code
   * remaining} is the server's last value plus the units that this process still holds.
   */
  LEASED,
  /**
   * This process made the decision in memory, because there was an outage ({@link
   * OnUnavailable#local(int)}) or because the limiter has no server. In an outage, {@code limit}
   * and all other numbers describe the process's share of the limit.
   */
  LOCAL,
  /** {@link OnUnavailable} determined the result because no decision could be made. */
  UNAVAILABLE,
  /** {@link OnOverload} determined the result because a resource was exhausted. */
  OVERLOADED
}
