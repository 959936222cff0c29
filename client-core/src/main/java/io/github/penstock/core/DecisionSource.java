package io.github.penstock.core;

/** The origin of a {@link Decision}. */
public enum DecisionSource {
  /** The server decided this call. */
  SERVER,
  /**
   * This process decided, because the server denied the same call a moment ago: {@code remaining}
   * is the value of that denial; wait and reset are reduced by the time that has passed since.
   */
  REMEMBERED,
  /**
   * This process decided, from units that the server charged in advance: {@code remaining} is the
   * server's last value plus the units that are still held here.
   */
  LEASED,
  /**
   * This process decided, from a limit in memory: its share in an outage ({@link
   * OnUnavailable#local(int)}), or a limiter that has no server. {@code limit} and all other
   * numbers are those of the share.
   */
  LOCAL,
  /** {@link OnUnavailable} decided, because no decision could be made. */
  UNAVAILABLE,
  /** {@link OnOverload} decided, because a bound was full. */
  OVERLOADED
}
