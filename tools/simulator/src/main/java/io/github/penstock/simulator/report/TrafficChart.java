package io.github.penstock.simulator.report;

import io.github.penstock.report.chart.LineChart;
import io.github.penstock.report.chart.ReportFigure;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.stats.TimeSeries;
import io.github.penstock.simulator.stats.TimeSeries.Kind;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Units asked for and passed, over time; the charts of several limits share their axes. */
final class TrafficChart {
  private static final double SECOND_US = 1e6;
  private static final double FILLED = 0.9;
  private static final int FEW = 5;
  private final double longestSeconds;
  private final double most;
  private final @Nullable ZoneId zone;

  /** For limits whose slots are equally wide. */
  TrafficChart(ReplayResult played) {
    List<LimitResult> results = played.results();
    zone = played.zone();
    longestSeconds =
        results.stream()
            .map(LimitResult::stats)
            .mapToDouble(stats -> complete(stats) * stats.series().widthUs() / SECOND_US)
            .max()
            .orElse(0);
    most =
        results.stream()
            .map(each -> each.stats().series())
            .flatMapToLong(
                each ->
                    LongStream.concat(
                        LongStream.of(each.counts(Kind.ASKED)),
                        LongStream.of(each.counts(Kind.PASSED))))
            .max()
            .orElse(0);
  }

  /** The denials of each limit over time, in one picture, because the admitted parts look alike. */
  ReportFigure denied(ReplayResult played, List<SeriesColor> colors) {
    List<LimitResult> results = played.results();
    TimeSeries any = results.get(0).stats().series();
    LineChart chart =
        new LineChart(
                "What each limit denied",
                zone == null ? "from the beginning" : "",
                played.units() + " per " + NumberText.per(any.widthUs()))
            .stepsOverTime(zone == null ? null : LogText.instant(any.beginUs()).atZone(zone));
    for (int i = 0; i < results.size(); i++) {
      ReplayStats stats = results.get(i).stats();
      int slots = complete(stats);
      chart.line(
          played.label(results.get(i)),
          colors.get(i),
          times(stats, slots),
          held(stats.series().counts(Kind.DENIED), slots));
    }
    return chart.figure("");
  }

  private static double[] times(ReplayStats stats, int slots) {
    return IntStream.rangeClosed(0, slots)
        .mapToDouble(i -> i * stats.series().widthUs() / SECOND_US)
        .toArray();
  }

  ReportFigure figure(LimitResult result, String title, SeriesColor color) {
    ReplayStats stats = result.stats();
    TimeSeries series = stats.series();
    String units = stats.unit() + "s";
    int slots = complete(stats);
    double[] x = times(stats, slots);
    return new LineChart(
            title,
            zone == null ? "from the beginning" : "",
            units + " per " + NumberText.per(series.widthUs()))
        .stepsOverTime(zone == null ? null : LogText.instant(series.beginUs()).atZone(zone))
        .reach(longestSeconds, most)
        .line("asked for", SeriesColor.GREY, x, held(series.counts(Kind.ASKED), slots))
        .line("passed", color, x, held(series.counts(Kind.PASSED), slots))
        .figure(
            "%s Denied: %s of %s%s."
                .formatted(
                    result.candidate().meaning(),
                    NumberText.count(stats.denied()),
                    NumberText.count(stats.asked(), "request"),
                    stats.hasCosts()
                        ? ", %s of %s units"
                            .formatted(
                                NumberText.count(stats.unitsAsked() - stats.unitsPassed()),
                                NumberText.count(stats.unitsAsked()))
                        : ""));
  }

  /*
   * A last slot that the traffic fills in part looks like an outage if less was asked for than before, and is not
   * shown then.
   */
  static int complete(ReplayStats stats) {
    TimeSeries series = stats.series();
    int last = series.size() - 1;
    long intoLast = stats.lastUs() - series.beginUs() - last * series.widthUs();
    boolean part =
        series.widthUs() >= SECOND_US && intoLast >= 0 && intoLast < series.widthUs() * FILLED;
    long[] asked = series.counts(Kind.ASKED);
    return part && last >= FEW && asked[last] < asked[last - 1] ? last : last + 1;
  }

  /* The last slot's count holds to its end. */
  private static double[] held(long[] counts, int slots) {
    return IntStream.rangeClosed(0, slots)
        .mapToDouble(i -> counts[Math.min(i, slots - 1)])
        .toArray();
  }
}
