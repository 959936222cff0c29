package io.github.penstock.benchmarks.compare;

import java.util.List;

/**
 * Traffic that was played, and what each limit did to it.
 *
 * @param title what a reader calls the traffic
 * @param description what it consists of
 * @param results one for each limit
 */
record Played(String title, String description, List<Result> results) {
  Played {
    results = List.copyOf(results);
  }

  /** What a limit is called here: its algorithm, if nothing else tells the limits apart. */
  String label(Result result) {
    boolean alike =
        results.stream().map(each -> each.candidate().numbers()).distinct().count() == 1;
    return alike && results.size() > 1 ? result.candidate().algorithm() : result.candidate().name();
  }

  /** The tally of an algorithm that occurs once. */
  Tally of(String algorithm) {
    return results.stream()
        .filter(result -> result.candidate().algorithm().equals(algorithm))
        .findFirst()
        .orElseThrow()
        .tally();
  }

  /**
   * What came out of one limit.
   *
   * @param candidate the limit
   * @param tally what it did
   */
  record Result(Candidate candidate, Tally tally) {}
}
