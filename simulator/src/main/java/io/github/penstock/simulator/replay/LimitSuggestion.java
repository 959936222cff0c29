package io.github.penstock.simulator.replay;

import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.traffic.LimitCandidate;
import java.util.List;

/**
 * The least number of each algorithm that denies few enough of a log's requests; one unit less
 * denies too many.
 *
 * @param perMille how many of a thousand requests may be denied
 * @param limits one for each algorithm that has such a number
 * @param without the algorithms that have none, since a limit must stay within its bounds
 */
public record LimitSuggestion(int perMille, List<LimitCandidate> limits, List<String> without) {
  /** Those that are looked for, in this order. */
  public static final List<Integer> EACH_PER_MILLE = List.of(1, 10, 50);

  private static final double PER_CENT = 10;

  public LimitSuggestion {
    limits = List.copyOf(limits);
    without = List.copyOf(without);
  }

  /** Returns how many of so many requests may be denied. */
  static long mayDeny(long requests, int perMille) {
    return Math.multiplyExact(requests, perMille) / 1_000;
  }

  /** The share that may be denied: {@code 0.1 %}. */
  public String share() {
    return NumberText.of(percent(), "0.#") + " %";
  }

  /** The same as a number. */
  public double percent() {
    return perMille / PER_CENT;
  }

  /** The results of these limits, of a replay of all that were suggested. */
  public ReplayResult of(ReplayResult played) {
    return new ReplayResult(
        "At most " + share() + " of the requests denied",
        "The least number of each algorithm that denies so few of these requests.",
        played.zone(),
        played.sample(),
        played.results().stream().filter(each -> limits.contains(each.candidate())).toList());
  }
}
