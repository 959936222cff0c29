package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.BenchmarkTables;
import io.github.penstock.benchmarks.result.GrowthPoint;
import io.github.penstock.report.MachineFacts;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.chart.BarChart;
import io.github.penstock.report.chart.LineChart;
import io.github.penstock.report.chart.SeriesColor;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** How the cost of a decision grows. */
record GrowthChapter(BenchmarkResults results, List<RedisClientType> clients)
    implements BenchChapter {
  private static final PenstockAlgorithm BUCKET = PenstockAlgorithm.TOKEN_BUCKET;

  @Override
  public ReportChapter chapter() {
    ReportChapter chapter =
        new ReportChapter(
            "How does the cost grow?",
            "With the tiers of a limit (\"10 a second and 100 a minute\" is two), with the number of keys, and with the"
                + " masters of a cluster.");
    add(chapter, tiers(), "Time of the script on the server.");
    add(chapter, keys(), "Time of the script on the server, keys in random order.");
    BarChart masters = new BarChart("Masters of a cluster", "decisions a second, 8 threads, Jedis");
    points(GrowthPoint.Axis.MASTERS, BUCKET, GrowthPoint::perSecond)
        .forEach(
            (size, perSecond) ->
                masters.bar("masters: " + size, BUCKET.title(), color(BUCKET), perSecond));
    add(
        chapter,
        masters,
        "Client and masters share this machine's %d processors.".formatted(MachineFacts.cores()));
    return chapter.add(BenchmarkTables.growth(results.growth()));
  }

  private LineChart tiers() {
    LineChart lines = new LineChart("Tiers", "tiers of the limit", "µs per allowed decision");
    for (PenstockAlgorithm algorithm : PenstockAlgorithm.all()) {
      SortedMap<Integer, Double> points = new TreeMap<>();
      results.scripts().stream()
          .filter(cost -> cost.call().is(algorithm, ScriptCase.Form.SHIPPED))
          .filter(cost -> cost.call().allowed())
          .forEach(cost -> points.put(cost.call().tiers(), cost.micros()));
      line(lines, algorithm.title(), color(algorithm), points);
    }
    return lines;
  }

  private LineChart keys() {
    LineChart lines = new LineChart("Keys", "keys", "µs per allowed decision").logarithmicX();
    for (BenchmarkCandidate what : List.of(BUCKET, FloorCall.SAME_COMMANDS)) {
      SeriesColor color = what == BUCKET ? color(BUCKET) : SeriesColor.GREY;
      line(lines, what.title(), color, points(GrowthPoint.Axis.KEYS, what, GrowthPoint::micros));
    }
    return lines;
  }

  private static void line(
      LineChart lines, String name, SeriesColor color, SortedMap<Integer, Double> points) {
    if (!points.isEmpty()) {
      lines.line(
          name,
          color,
          points.keySet().stream().mapToDouble(Integer::doubleValue).toArray(),
          points.values().stream().mapToDouble(Double::doubleValue).toArray());
    }
  }

  private static void add(ReportChapter chapter, LineChart lines, String caption) {
    if (!lines.isEmpty()) {
      chapter.add(lines.figure(caption));
    }
  }

  private SortedMap<Integer, Double> points(
      GrowthPoint.Axis with, BenchmarkCandidate what, ToDoubleFunction<GrowthPoint> figure) {
    SortedMap<Integer, Double> points = new TreeMap<>();
    results.growth().stream()
        .filter(point -> point.with() == with && point.what() == what)
        .forEach(point -> points.put(point.size(), figure.applyAsDouble(point)));
    return points;
  }
}
