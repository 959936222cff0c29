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
  private static final double FILLED = 0.9;
  private static final int FEW = 5;

  private OverTime() {}

  static Figure figure(Result result, String title, Hue hue) {
    Series series = result.tally().series();
    double spanSeconds = series.size() * series.widthUs() / MICROS;
    Unit unit = unit(spanSeconds);
    String slot = Span.each(series.widthUs());
    Lines lines =
        new Lines(title, unit.title + " from the beginning", what(result.tally()) + " per " + slot)
            .steps();
    int slots = complete(result.tally());
    double[] x = new double[slots + 1];
    for (int i = 0; i < x.length; i++) {
      x[i] = i * series.widthUs() / MICROS / unit.seconds;
    }
    // XChart labels data points instead of round numbers where all are equally far apart.
    x[slots] += series.widthUs() / MICROS / unit.seconds / 50;
    lines.line("asked for", Hue.GREY, x, held(series.counts(Kind.ASKED), slots));
    lines.line("passed", hue, x, held(series.counts(Kind.PASSED), slots));
    return lines.figure(
        "%s Denied: %s of %s."
            .formatted(
                result.candidate().meaning(),
                Say.count(result.tally().denied()),
                Say.count(result.tally().asked(), "request")));
  }

  private static String what(Tally tally) {
    return tally.unitsAsked() == tally.asked() ? "requests" : "units";
  }

  /*
   * A last slot that the traffic fills in part looks like an outage if less was asked for than before, and is not
   * shown then.
   */
  static int complete(Tally tally) {
    Series series = tally.series();
    int last = series.size() - 1;
    long intoLast = tally.lastUs() - series.beginUs() - last * series.widthUs();
    boolean part =
        series.widthUs() >= MICROS && intoLast >= 0 && intoLast < series.widthUs() * FILLED;
    long[] asked = series.counts(Kind.ASKED);
    return part && last >= FEW && asked[last] < asked[last - 1] ? last : last + 1;
  }

  /* The last slot's count holds to its end. */
  private static double[] held(long[] counts, int slots) {
    double[] values = new double[slots + 1];
    for (int i = 0; i <= slots; i++) {
      values[i] = counts[Math.min(i, slots - 1)];
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
