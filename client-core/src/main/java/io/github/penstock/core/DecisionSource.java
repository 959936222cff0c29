package io.github.penstock.core;

/** Who made a {@link Decision}. */
public enum DecisionSource {
  /** The server, which was asked for this call. */
  SERVER,
  /**
   * This process, because the server denied the same a moment ago: {@code remaining} is what it
   * said then, wait and reset are less what has passed since.
   */
  REMEMBERED,
  /**
   * This process, out of units that the server charged before: {@code remaining} is what it said
   * then and what is still held here.
   */
  LEASED,
  /** {@link OnUnavailable}, because no decision could be had. */
  UNAVAILABLE
}
