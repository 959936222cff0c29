package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Played.Result;
import io.github.penstock.benchmarks.compare.Series.Kind;
import io.github.penstock.benchmarks.report.Figure;
import io.github.penstock.benchmarks.report.Hue;
import io.github.penstock.benchmarks.report.Lines;

/** What was asked for and what passed, over time, under one limit. */
final class OverTime {
  private static final double MICROS = 1e6;
  private static final double READABLE = 300;

  private OverTime() {}

  static Figure figure(Result result, String title, Hue hue) {
    Series series = result.tally().series();
    double spanSeconds = series.size() * series.widthUs() / MICROS;
    Unit unit = unit(spanSeconds);
    String slot = Span.each(series.widthUs());
    Lines lines =
        new Lines(title, unit.title + " from the beginning", what(result.tally()) + " per " + slot)
            .steps();
    double[] x = new double[series.size() + 1];
    for (int i = 0; i < x.length; i++) {
      x[i] = i * series.widthUs() / MICROS / unit.seconds;
    }
    // XChart labels data points instead of round numbers where all are equally far apart.
    x[series.size()] += series.widthUs() / MICROS / unit.seconds / 50;
    lines.line("asked for", Hue.GREY, x, held(series.counts(Kind.ASKED)));
    lines.line("passed", hue, x, held(series.counts(Kind.PASSED)));
    return lines.figure(
        "Denied: %s of %s requests."
            .formatted(Say.count(result.tally().denied()), Say.count(result.tally().asked())));
  }

  private static String what(Tally tally) {
    return tally.unitsAsked() == tally.asked() ? "requests" : "units";
  }

  /* After the last slot there is nothing. */
  private static double[] held(long[] counts) {
    double[] values = new double[counts.length + 1];
    for (int i = 0; i < counts.length; i++) {
      values[i] = counts[i];
    }
    return values;
  }

  private static Unit unit(double seconds) {
    for (Unit unit : Unit.values()) {
      if (seconds / unit.seconds <= READABLE) {
        return unit;
      }
    }
    return Unit.DAYS;
  }

  private enum Unit {
    SECONDS("seconds", 1),
    MINUTES("minutes", 60),
    HOURS("hours", 3_600),
    DAYS("days", 86_400);

    private final String title;
    private final double seconds;

    Unit(String title, double seconds) {
      this.title = title;
      this.seconds = seconds;
    }
  }
}
