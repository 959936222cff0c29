package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.report.text.NumberText;

/**
 * A figure that Penstock is meant to reach.
 *
 * @param what the figure
 * @param place where it was measured, such as {@code Jedis}
 * @param bound the least or the most that it should be
 * @param atLeast whether the bound is the least
 * @param figure the measured figure
 */
record BenchmarkGoal(String what, String place, double bound, boolean atLeast, RoundRatio figure) {
  String boundText() {
    return (atLeast ? "at least " : "at most ") + text(bound);
  }

  String figureText() {
    return text(figure.value());
  }

  /** Met, missed, or open where the rounds differ by more than is missing. */
  String verdict() {
    return reached(figure.value())
        ? "met"
        : reached(atLeast ? figure.to() : figure.from()) ? "open" : "missed";
  }

  private boolean reached(double value) {
    return atLeast ? value >= bound : value <= bound;
  }

  /* Ratios lie around 1. */
  private String text(double value) {
    return bound < 100 ? NumberText.hundredths(value) : NumberText.count(value);
  }
}
