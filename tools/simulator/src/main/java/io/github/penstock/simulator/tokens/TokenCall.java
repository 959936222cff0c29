package io.github.penstock.simulator.tokens;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.simulator.traffic.TrafficRequest;

/**
 * A call whose cost is known when it ends.
 *
 * @param timeUs when it begins, in the bounds of {@link TrafficRequest}
 * @param subject the caller, at least one character
 * @param durationUs how long it takes, 0 to {@link #LONGEST_US}
 * @param estimated its estimated cost, known at its beginning: 1 to {@link Limit#MAX_UNITS}
 * @param used its actual cost: 0 to {@link Limit#MAX_UNITS}
 */
public record TokenCall(long timeUs, String subject, long durationUs, long estimated, long used) {
  public static final long LONGEST_US = 2_592_000_000_000L;

  public TokenCall {
    if (timeUs < TrafficRequest.FIRST_US || timeUs >= TrafficRequest.END_US) {
      throw new IllegalArgumentException("timeUs must be from 2001-09-09 to 2112: " + timeUs);
    }
    if (subject.isEmpty()) {
      throw new IllegalArgumentException("subject must not be empty");
    }
    if (durationUs < 0 || durationUs > LONGEST_US) {
      throw new IllegalArgumentException("durationUs must be from 0 to 30 days: " + durationUs);
    }
    if (timeUs + durationUs >= TrafficRequest.END_US) {
      throw new IllegalArgumentException("the call must end before 2112: " + timeUs);
    }
    if (estimated < 1 || estimated > Limit.MAX_UNITS) {
      throw new IllegalArgumentException("estimated must be from 1 to 10^12: " + estimated);
    }
    if (used < 0 || used > Limit.MAX_UNITS) {
      throw new IllegalArgumentException("used must be from 0 to 10^12: " + used);
    }
  }

  long endUs() {
    return timeUs + durationUs;
  }
}
