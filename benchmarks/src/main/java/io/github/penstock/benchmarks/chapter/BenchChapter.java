package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.chart.BarChart;
import io.github.penstock.report.chart.SeriesColor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The part that all chapters share: the figures, and how charts and tables are made of them. */
interface BenchChapter {
  BenchmarkResults results();

  List<RedisClientType> clients();

  ReportChapter chapter();

  /** An algorithm has the same colour in every chart. */
  default SeriesColor color(PenstockAlgorithm algorithm) {
    return SeriesColor.ofKind(algorithm.kind().ordinal());
  }

  /** Words joined by commas and a last {@code and}. */
  static String list(List<String> words) {
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
  }

  /** Adds a chart if there is something in it. */
  default void add(ReportChapter chapter, BarChart bars, String caption) {
    if (!bars.isEmpty()) {
      chapter.add(bars.figure(caption));
    }
  }

  /** Adds the decisions a second of a case, if it was measured. */
  default void bar(
      BarChart bars, Optional<MeasuredCase> measured, String series, SeriesColor color) {
    measured.ifPresent(m -> bars.bar(m.what().client().title(), series, color, m.perSecond()));
  }

  /** Adds a figure of the token bucket, measured in one of several ways. */
  default void bucket(
      BarChart bars,
      Optional<MeasuredCase> measured,
      String how,
      ToDoubleFunction<MeasuredCase> figure) {
    measured.ifPresent(
        m ->
            bars.bar(
                m.what().client().title() + ", " + how,
                "token-bucket",
                color(PenstockAlgorithm.TOKEN_BUCKET),
                figure.applyAsDouble(m)));
  }

  /**
   * Each client's decisions a second in a case, as a ratio to those of the same server commands.
   */
  default Map<String, RoundRatio> toSameCommands(Function<RedisClientType, BenchmarkCase> asked) {
    Map<String, RoundRatio> ratios = new LinkedHashMap<>();
    for (RedisClientType client : clients()) {
      results()
          .find(asked.apply(client))
          .flatMap(results()::toSameCommands)
          .ifPresent(ratio -> ratios.put(client.title(), ratio));
    }
    return ratios;
  }
}
