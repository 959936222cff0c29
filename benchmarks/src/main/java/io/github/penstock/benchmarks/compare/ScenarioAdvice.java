package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.report.Finding;
import io.github.penstock.benchmarks.report.Verdict;
import java.util.List;
import java.util.Locale;

/** The few sentences that stand first in the report of the built-in traffic. */
final class ScenarioAdvice {
  private ScenarioAdvice() {}

  /** What a scenario teaches, if it is one of those that do, with its numbers. */
  static List<Finding> inShort(Scenario scenario, Played played) {
    Tally window = played.of("fixed-window");
    Tally bucket = played.of("token-bucket");
    Tally queue = played.of("leaky-bucket");
    return switch (scenario) {
      case EDGE ->
          List.of(
              new Finding(
                  Verdict.CAUTION,
                  "A fixed window lets nearly twice its limit through around a window's edge: %s in 3 s under a limit of 1,000. Choose it for quotas that people reason about, not to protect something fragile."
                      .formatted(most(window))));
      case BURST ->
          List.of(
              Finding.note(
                  "A leaky bucket passes a burst of 1,000 evenly, %s in any second, and the last caller waits %s: choose it where what is behind must see an even flow."
                      .formatted(
                          Say.count(queue.series().inSecond(Series.Kind.PASSED, 0)),
                          Span.rounded(queue.delays().longest()))));
      case ON_OFF ->
          List.of(
              Finding.note(
                  "Under the same rate a token bucket admits %s of bursty traffic and a fixed window %s; who is denied waits %s (median) instead of %s. For an API it is the usual choice."
                      .formatted(
                          Say.percent(bucket.admitted(), bucket.asked()),
                          Say.percent(window.admitted(), window.asked()),
                          Span.rounded(bucket.waits().percentile(50)),
                          Span.rounded(window.waits().percentile(50)))));
      case NEIGHBOUR ->
          List.of(
              Finding.note(
                  "With a limit for each client, one noisy client harms only itself: %s of %s clients are ever denied."
                      .formatted(
                          Say.count(bucket.shares().everDenied()),
                          Say.count(bucket.shares().subjects()))));
      case RETRY ->
          List.of(
              new Finding(
                  Verdict.CAUTION,
                  String.format(
                      Locale.ROOT,
                      "The wait that a bucket tells is exact, so denied clients that share a limit all come back in the same moment: 300 clients asked %s times. Add a random time to the wait, or give a leaky bucket room to queue all of them.",
                      Say.count(bucket.asked()))));
      default -> List.of();
    };
  }

  private static String most(Tally tally) {
    return Say.count(tally.peaks().get(0).most());
  }
}
