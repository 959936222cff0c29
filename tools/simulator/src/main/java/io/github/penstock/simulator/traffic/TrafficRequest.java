package io.github.penstock.simulator.traffic;

import io.github.penstock.core.limit.Limit;

/**
 * One request in the traffic.
 *
 * @param timeUs the time, in microseconds since 1970; from {@link #FIRST_US} and below {@link
 *     #END_US}, the scripts' bounds
 * @param subject the caller, at least one character
 * @param cost units, 1 to {@link Limit#MAX_UNITS}
 */
public record TrafficRequest(long timeUs, String subject, long cost) {
  /** September 2001: a smaller number is in seconds or milliseconds. */
  public static final long FIRST_US = 1_000_000_000_000_000L;

  /** In the year 2112. */
  public static final long END_US = 1L << 52;

  public TrafficRequest {
    if (timeUs < FIRST_US || timeUs >= END_US) {
      throw new IllegalArgumentException("timeUs must be from 2001-09-09 to 2112: " + timeUs);
    }
    if (subject.isEmpty()) {
      throw new IllegalArgumentException("subject must not be empty");
    }
    if (cost < 1 || cost > Limit.MAX_UNITS) {
      throw new IllegalArgumentException("cost must be from 1 to " + Limit.MAX_UNITS + ": " + cost);
    }
  }
}
