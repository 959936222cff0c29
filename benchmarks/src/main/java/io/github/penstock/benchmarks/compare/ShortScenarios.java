package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Series.Kind;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Why each algorithm lets through what it does of the two traffics of a few seconds, under 1000 per
 * 3 seconds.
 */
final class ShortScenarios {
  private ShortScenarios() {}

  /** A sentence for each algorithm, with what was measured. */
  static List<String> why(Scenario scenario, Played played) {
    return Stream.of("fixed-window", "leaky-bucket", "token-bucket")
        .map(algorithm -> algorithm + ": " + why(scenario, algorithm, played.of(algorithm)))
        .toList();
  }

  private static String why(Scenario scenario, String algorithm, Tally tally) {
    boolean edge = scenario == Scenario.EDGE;
    return switch (algorithm) {
      case "fixed-window" -> edge ? windowAtItsEdge(tally) : windowAtOnce();
      case "token-bucket" -> edge ? bucketAtTheEdge(tally) : bucketAtOnce();
      default -> edge ? queueAtTheEdge(tally) : queueAtOnce(tally);
    };
  }

  private static String windowAtItsEdge(Tally tally) {
    return ("seconds 1 to 3 are one window and 4 to 6 the next. Each keeps to the limit, but the end of one and the"
            + " beginning of the next lie together: seconds 3 to 5 pass %s, nearly twice the limit.")
        .formatted(Say.count(passed(tally, 2) + passed(tally, 3) + passed(tally, 4)));
  }

  private static String bucketAtTheEdge(Tally tally) {
    return ("the full bucket lets the first burst through and regains 333 a second meanwhile; so the second burst is"
            + " cut to %s of 900. At worst it is a full bucket and what 3 seconds regain: 2,000.")
        .formatted(Say.count(passed(tally, 3)));
  }

  private static String queueAtTheEdge(Tally tally) {
    return ("it admits the same requests as the token bucket, but one may go ahead every 3 ms, the others wait"
            + " (here up to %s s). So what is behind it never sees more than the limit.")
        .formatted(longestDelay(tally));
  }

  private static String windowAtOnce() {
    return "the whole limit is spent in the first second; until the window ends, 3 seconds after it opened, nothing"
        + " else would pass.";
  }

  private static String bucketAtOnce() {
    return "the bucket was full, so everybody goes ahead at once; it still regained 333 meanwhile, which the next"
        + " caller may use.";
  }

  private static String queueAtOnce(Tally tally) {
    return "everybody is admitted, and spread evenly over the 3 seconds; the last waits %s s."
        .formatted(longestDelay(tally));
  }

  private static long passed(Tally tally, int second) {
    return tally.series().inSecond(Kind.PASSED, second);
  }

  private static String longestDelay(Tally tally) {
    return String.format(Locale.ROOT, "%.2f", tally.delays().longest() / 1e6);
  }
}
