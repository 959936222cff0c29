package io.github.penstock.simulator.log;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How much each subject asks for in its busiest minute by the clock, for the first {@value #MOST}
 * subjects: the basis for choosing a limit when none is given. Not safe for use by several threads.
 */
public final class BusiestMinutes {
  private static final int MOST = 500_000;
  private static final long MINUTE_US = 60_000_000;
  private static final double[] ROUND = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
  private final Map<String, Minutes> subjects = new HashMap<>();

  /** Counts a request; times may go back. */
  public void add(TrafficRequest request) {
    Minutes minutes = subjects.get(request.subject());
    if (minutes == null) {
      if (subjects.size() == MOST) {
        return;
      }
      minutes = new Minutes();
      subjects.put(request.subject(), minutes);
    }
    minutes.add(request.timeUs() / MINUTE_US, request.cost());
  }

  /** Units that so many percent of the subjects never exceed in a minute, rounded up a little. */
  public long perMinute(double percent) {
    long[] most = subjects.values().stream().mapToLong(minutes -> minutes.most).sorted().toArray();
    int index = (int) Math.ceil(percent / 100 * most.length) - 1;
    long units = most[Math.max(0, Math.min(index, most.length - 1))];
    return Math.min(rounded(units), Limit.MAX_UNITS);
  }

  private static long rounded(long units) {
    double power = Math.pow(10, Math.floor(Math.log10(units)));
    return Arrays.stream(ROUND)
        .mapToLong(step -> (long) Math.ceil(step * power))
        .filter(step -> step >= units)
        .findFirst()
        .orElse(units);
  }

  private static final class Minutes {
    private long minute;
    private long units;
    private long most;

    void add(long now, long more) {
      if (now != minute) {
        minute = now;
        units = 0;
      }
      units += more;
      most = Math.max(most, units);
    }
  }
}
