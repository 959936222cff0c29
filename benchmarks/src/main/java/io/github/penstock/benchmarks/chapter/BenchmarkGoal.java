package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.report.FindingVerdict;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.text.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Something that Penstock is meant to reach. What lies within the run's own spread decides nothing.
 *
 * @param subject what the figure is, as the beginning of a sentence
 * @param bound what it should be
 * @param atLeast whether that is the least, and not the most
 */
record BenchmarkGoal(String subject, double bound, boolean atLeast) {
  /**
   * The finding about this goal: met everywhere, missed or neither; empty without figures.
   *
   * @param figures by place, such as {@code Jedis}; the only place may be empty
   */
  Optional<ReportFinding> finding(Map<String, RoundRatio> figures) {
    if (figures.isEmpty()) {
      return Optional.empty();
    }
    List<String> each = new ArrayList<>();
    figures.forEach((place, figure) -> each.add(text(figure.value()) + where(place)));
    boolean met = figures.values().stream().allMatch(figure -> reached(figure.value()));
    boolean missed = figures.values().stream().anyMatch(f -> !reached(atLeast ? f.to() : f.from()));
    String goal = (atLeast ? "at least " : "at most ") + text(bound);
    return Optional.of(
        new ReportFinding(
            met ? FindingVerdict.MET : missed ? FindingVerdict.MISSED : FindingVerdict.NOTE,
            "%s: %s (goal: %s%s)."
                .formatted(
                    subject,
                    BenchChapter.list(each),
                    goal,
                    met || missed ? "" : "; the rounds differ by more than what is missing")));
  }

  private boolean reached(double figure) {
    return atLeast ? figure >= bound : figure <= bound;
  }

  private static String where(String place) {
    return place.isEmpty() ? "" : " (" + place + ")";
  }

  /* Ratios lie around 1. */
  private String text(double figure) {
    return bound < 100 ? NumberText.hundredths(figure) : NumberText.count(figure);
  }
}
