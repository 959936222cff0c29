package io.github.penstock.benchmarks;

import io.github.penstock.scripts.LuaScript;
import java.util.List;
import java.util.Locale;

/**
 * A built-in traffic, and why each algorithm lets through what it does. The limit is 1000 per 3
 * seconds.
 */
enum Scenario {
  EDGE("A burst on each side of a window's edge", List.of(10, 10, 980, 900, 100, 0)) {
    @Override
    String why(LuaScript script, Passage passage) {
      return switch (script) {
        case FIXED_WINDOW ->
            "seconds 1 to 3 are one window and 4 to 6 the next. Each keeps to the limit, but the end of one and the"
                + " beginning of the next lie together: seconds 3 to 5 pass %,d, nearly twice the limit."
                    .formatted(passage.in(2) + passage.in(3) + passage.in(4));
        case TOKEN_BUCKET ->
            "the full bucket lets the first burst through and regains 333 a second meanwhile; so the second burst is"
                + " cut to %,d of 900. At worst it is a full bucket and what 3 seconds regain: 2,000."
                    .formatted(passage.in(3));
        case LEAKY_BUCKET ->
            "it admits the same requests as the token bucket, but one may go ahead every 3 ms, the others wait"
                + " (here up to %s s). So what is behind it never sees more than the limit."
                    .formatted(seconds(passage.longestDelayUs()));
      };
    }
  },
  BURST("Everything in the first second", List.of(1000, 0, 0)) {
    @Override
    String why(LuaScript script, Passage passage) {
      return switch (script) {
        case FIXED_WINDOW ->
            "the whole limit is spent in the first second; until the window ends, 3 seconds after it opened,"
                + " nothing else would pass.";
        case TOKEN_BUCKET ->
            "the bucket was full, so everybody goes ahead at once; it still regained 333 meanwhile, which the next"
                + " caller may use.";
        case LEAKY_BUCKET ->
            "everybody is admitted, and spread evenly over the 3 seconds; the last waits %s s."
                .formatted(seconds(passage.longestDelayUs()));
      };
    }
  };

  private final Traffic traffic;

  Scenario(String title, List<Integer> requestsPerSecond) {
    this.traffic = new Traffic(title, requestsPerSecond);
  }

  /** The built-in traffic's name. */
  String title() {
    return traffic.name();
  }

  Traffic traffic() {
    return traffic;
  }

  /** One sentence, begun in lower case, that follows from what was measured. */
  abstract String why(LuaScript script, Passage passage);

  private static String seconds(long micros) {
    return String.format(Locale.ROOT, "%.2f", micros / 1e6);
  }
}
