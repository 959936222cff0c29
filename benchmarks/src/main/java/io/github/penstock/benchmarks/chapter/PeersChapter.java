package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.BenchmarkQuestion;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.BenchmarkTables;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.chart.BarChart;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.report.table.ResultTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The cost of a decision beside other limiters. */
record PeersChapter(BenchmarkResults results, List<RedisClientType> clients)
    implements BenchChapter {
  /** A workload and a number of threads in which all limiters are compared. */
  private enum PeerComparison {
    ALLOWED(SubjectWorkload.ALLOWED, BenchmarkProfile.THREADS, "Allowed, 10,000 subjects"),
    DENIED(SubjectWorkload.EXHAUSTED, BenchmarkProfile.THREADS, "Denied, one exhausted subject"),
    HOT(SubjectWorkload.HOT, BenchmarkProfile.THREADS, "One hot subject, 8 threads"),
    HOT_64_THREADS(
        SubjectWorkload.HOT, BenchmarkProfile.MANY_THREADS, "One hot subject, 64 threads");

    private final SubjectWorkload workload;
    private final int threads;
    private final String title;

    PeerComparison(SubjectWorkload workload, int threads, String title) {
      this.workload = workload;
      this.threads = threads;
      this.title = title;
    }

    private BenchmarkCase of(LimiterType limiter, RedisClientType client) {
      return limiter == LimiterType.PENSTOCK
          ? BenchmarkCase.bucket(client, workload, threads)
          : BenchmarkCase.peer(client, limiter, workload, threads);
    }
  }

  @Override
  public ReportChapter chapter() {
    ReportChapter chapter =
        new ReportChapter(
            "How does it compare with other limiters?",
            "Each is set up as its documentation says and called through the same client, in the"
                + " same run. A hot subject is one that everybody asks for at once.");
    if (results.clients().stream().noneMatch(m -> m.what().question() == BenchmarkQuestion.PEER)) {
      return chapter;
    }
    List<BarChart> charts = Arrays.stream(PeerComparison.values()).map(this::bars).toList();
    double most = charts.stream().mapToDouble(BarChart::reach).max().orElse(0);
    for (BarChart bars : charts) {
      add(
          chapter,
          bars.reach(most),
          "Longer is better. Where a bar is missing, it was not measured in this run or does not work with that client.");
    }
    return chapter.add(table());
  }

  private BarChart bars(PeerComparison comparison) {
    BarChart bars = new BarChart(comparison.title, "decisions a second");
    for (RedisClientType client : clients) {
      for (LimiterType limiter : LimiterType.values()) {
        bar(
            bars,
            results.find(comparison.of(limiter, client)),
            limiter.shortTitle(),
            color(limiter));
      }
    }
    return bars;
  }

  private SeriesColor color(LimiterType limiter) {
    return switch (limiter) {
      case PENSTOCK -> color(PenstockAlgorithm.TOKEN_BUCKET);
      case BUCKET4J -> SeriesColor.TEAL;
      case RRATE_LIMITER -> SeriesColor.RED;
      case SPRING_GATEWAY -> SeriesColor.PINK;
    };
  }

  private ResultTable<MeasuredCase> table() {
    List<MeasuredCase> rows = new ArrayList<>();
    for (PeerComparison comparison : PeerComparison.values()) {
      for (RedisClientType client : clients) {
        for (LimiterType limiter : LimiterType.values()) {
          tried(comparison, client, limiter).ifPresent(rows::add);
        }
      }
    }
    return BenchmarkTables.clients(results, "Other limiters", rows)
        .note(
            "Penstock's is the token bucket. Spring Cloud Gateway's script is called raw; the Gateway reaches it through Spring Data"
                + " Redis, whose cost is not in here. It keeps whole seconds and answers no wait."
                + " RRateLimiter answers yes or no, and keeps an entry for every permit of its"
                + " interval.");
  }

  /* A limiter that a client cannot have has a row, if there is anything to compare it with. */
  private Optional<MeasuredCase> tried(
      PeerComparison comparison, RedisClientType client, LimiterType limiter) {
    BenchmarkCase what = comparison.of(limiter, client);
    String cannot = limiter.cannot(client);
    return cannot.isEmpty()
        ? results.tried(what)
        : results
            .tried(comparison.of(LimiterType.PENSTOCK, client))
            .map(ours -> MeasuredCase.failed(what, cannot));
  }
}
