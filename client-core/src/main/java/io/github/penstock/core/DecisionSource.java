package io.github.penstock.core;

/** The origin of a {@link Decision}. */
public enum DecisionSource {
  /** The server decided this call. */
  SERVER,
  /**
   * This process decided, because the server recently denied the same call. {@code remaining} is
   * the value in that denial; wait and reset are reduced by the time that has passed since then.
   */
  REMEMBERED,
  /**
   * This process decided, using units that the server had charged in advance: {@code remaining} is
   * the server's last value plus the units that this process still holds.
   */
  LEASED,
  /**
   * This process decided in memory, either by its share of the limit in an outage ({@link
   * OnUnavailable#local(int)}) or because the limiter has no server. {@code limit} and all other
   * numbers are those of the share.
   */
  LOCAL,
  /** {@link OnUnavailable} decided, because no decision could be made. */
  UNAVAILABLE,
  /** {@link OnOverload} decided, because a resource was exhausted. */
  OVERLOADED
}
