package io.github.penstock.simulator.replay;

import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.HashMap;
import java.util.Map;

/**
 * Units that each subject asks for at most in any span of a period: those of the fullest two
 * neighbouring periods by the clock, which cover every span between them. Nothing is known of
 * subjects after the first {@value #MOST}. Not safe for use by several threads.
 */
final class SubjectBounds {
  private static final int MOST = 1_000_000;
  private final Map<String, Periods> subjects = new HashMap<>();
  private final long periodUs;
  private long requests;
  private long most;

  SubjectBounds(long periodUs) {
    this.periodUs = periodUs;
  }

  /** Counts a request, not earlier than the one before. */
  void add(TrafficRequest request) {
    requests++;
    Periods periods = subjects.get(request.subject());
    if (periods == null) {
      periods = new Periods();
      if (subjects.size() < MOST) {
        subjects.put(request.subject(), periods);
      } else {
        most = Long.MAX_VALUE;
      }
    }
    periods.add(request.timeUs() / periodUs, request.cost());
    most = Math.max(most, periods.most);
  }

  /** Returns how many requests there were. */
  long requests() {
    return requests;
  }

  /** Returns what no subject exceeds; {@link Long#MAX_VALUE} if that is not known. */
  long most() {
    return most;
  }

  /** Returns what this subject does not exceed; {@link Long#MAX_VALUE} if that is not known. */
  long most(String subject) {
    Periods known = subjects.get(subject);
    return known == null ? Long.MAX_VALUE : known.most;
  }

  private static final class Periods {
    private long period;
    private long before;
    private long units;
    private long most;

    void add(long now, long more) {
      if (now != period) {
        before = now == period + 1 ? units : 0;
        units = 0;
        period = now;
      }
      units += more;
      most = Math.max(most, before + units);
    }
  }
}
