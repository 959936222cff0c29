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
import java.util.Arrays;
import java.util.List;
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
    LineChart chart = chart("What each limit denied", played.units(), any);
    for (int i = 0; i < results.size(); i++) {
      long[] denied = counts(results.get(i).stats(), Kind.DENIED);
      chart.line(played.label(results.get(i)), colors.get(i), denied);
    }
    return chart.figure("");
  }

  private LineChart chart(String title, String units, TimeSeries series) {
    return new LineChart(
        title,
        units + " per " + NumberText.per(series.widthUs()),
        zone == null ? null : LogText.instant(series.beginUs()).atZone(zone),
        series.widthUs() / SECOND_US);
  }

  ReportFigure figure(LimitResult result, String title, SeriesColor color) {
    ReplayStats stats = result.stats();
    return chart(title, stats.unit() + "s", stats.series())
        .reach(longestSeconds, most)
        .line("asked for", SeriesColor.GREY, counts(stats, Kind.ASKED))
        .line("passed", color, counts(stats, Kind.PASSED))
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

  private static long[] counts(ReplayStats stats, Kind kind) {
    return Arrays.copyOf(stats.series().counts(kind), complete(stats));
  }
}
