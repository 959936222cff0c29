package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.GrowthPoint;
import io.github.penstock.benchmarks.result.ScriptCost;
import io.github.penstock.report.DataTable;
import io.github.penstock.report.MachineFacts;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.chart.BarChart;
import io.github.penstock.report.chart.LineChart;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.report.text.NumberText;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** How the cost of a decision grows. */
final class GrowthChapter extends BenchChapter {
  private static final BenchmarkCandidate BUCKET = PenstockAlgorithm.TOKEN_BUCKET;

  GrowthChapter(BenchmarkResults results, List<RedisClientType> clients) {
    super(results, clients);
  }

  @Override
  ReportChapter chapter() {
    ReportChapter chapter =
        new ReportChapter(
            "How does the cost grow?",
            "With the tiers of a limit (\"10 a second and 100 a minute\" is two), with the number of keys, and with the"
                + " masters of a cluster.");
    add(chapter, tiers(), "Time of the script on the server.");
    add(chapter, keys(), "Time of the script on the server, keys in random order.");
    BarChart masters = new BarChart("Masters of a cluster", "decisions a second, 8 threads, Jedis");
    points(GrowthPoint.Axis.MASTERS, BUCKET)
        .forEach(
            p ->
                masters.bar(
                    "masters: " + p.size(), BUCKET.title(), SeriesColor.BLUE, p.perSecond()));
    add(
        chapter,
        masters,
        "Client and all masters share the processors of this machine, of which there are %d."
            .formatted(MachineFacts.cores()));
    return chapter.add(table());
  }

  private LineChart tiers() {
    LineChart lines = new LineChart("Tiers", "tiers of the limit", "µs per allowed decision");
    for (PenstockAlgorithm algorithm : PenstockAlgorithm.values()) {
      List<ScriptCost> costs =
          results.scripts().stream()
              .filter(cost -> cost.call().is(algorithm, ScriptCase.Form.SHIPPED))
              .filter(cost -> cost.call().allowed())
              .sorted(Comparator.comparingInt(cost -> cost.call().tiers()))
              .toList();
      line(
          lines,
          algorithm.title(),
          color(algorithm),
          costs,
          cost -> cost.call().tiers(),
          ScriptCost::micros);
    }
    return lines;
  }

  private LineChart keys() {
    LineChart lines = new LineChart("Keys", "keys", "µs per allowed decision").logarithmicX();
    keys(lines, BUCKET, SeriesColor.BLUE);
    keys(lines, FloorCall.SAME_COMMANDS, SeriesColor.GREY);
    return lines;
  }

  private void keys(LineChart lines, BenchmarkCandidate what, SeriesColor color) {
    line(
        lines,
        what.title(),
        color,
        points(GrowthPoint.Axis.KEYS, what),
        GrowthPoint::size,
        GrowthPoint::micros);
  }

  private static <T> void line(
      LineChart lines,
      String name,
      SeriesColor color,
      List<T> points,
      ToDoubleFunction<T> x,
      ToDoubleFunction<T> y) {
    if (!points.isEmpty()) {
      lines.line(
          name,
          color,
          points.stream().mapToDouble(x).toArray(),
          points.stream().mapToDouble(y).toArray());
    }
  }

  private static void add(ReportChapter chapter, LineChart lines, String caption) {
    if (!lines.isEmpty()) {
      chapter.add(lines.figure(caption));
    }
  }

  private DataTable table() {
    DataTable table = table("Growth", 2, "with | what | how many | µs of the script | a second");
    for (GrowthPoint point : results.growth()) {
      table.row(
          point.with().name().toLowerCase(Locale.ROOT),
          point.what().title(),
          NumberText.count(point.size()),
          NumberText.hundredths(point.micros()),
          point.perSecond() > 0 ? NumberText.count(point.perSecond()) : "");
    }
    return table;
  }

  private List<GrowthPoint> points(GrowthPoint.Axis with, BenchmarkCandidate what) {
    return results.growth().stream()
        .filter(p -> p.with() == with && p.what() == what)
        .sorted(Comparator.comparingInt(GrowthPoint::size))
        .toList();
  }
}
