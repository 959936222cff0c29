package io.github.penstock.core;

/** Who made a {@link Decision}. */
public enum DecisionSource {
  /** The server, which was asked for this call. */
  SERVER,
  /**
   * This process, because the server denied the same call a moment ago: {@code remaining} is what
   * the server said then; wait and reset are reduced by the time that has passed since.
   */
  REMEMBERED,
  /**
   * This process, out of units that the server charged before: {@code remaining} is what the server
   * said then plus what is still held here.
   */
  LEASED,
  /**
   * This process, which keeps the limit in memory: its share in an outage ({@link
   * OnUnavailable#local(int)}), or limiters that have no server. {@code limit} and all other
   * numbers are those of the share.
   */
  LOCAL,
  /** {@link OnUnavailable}, because no decision could be made. */
  UNAVAILABLE,
  /** {@link OnOverload}, because a bound was full. */
  OVERLOADED
}
