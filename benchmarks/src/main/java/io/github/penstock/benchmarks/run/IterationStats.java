package io.github.penstock.benchmarks.run;

import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkQuestion;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.benchmarks.result.RoundRatio;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.util.MultisetStatistics;
import org.openjdk.jmh.util.Statistics;

/** The figures of the iterations of a case. Not safe for use by several threads. */
final class IterationStats {
  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final String TRIPS = "trips";

  /*
   * JMH adds up the results of threads over separate times, which is too much if 64 threads share
   * two processors and need no server: they run in sequence.
   */
  private static final String NANOS = "nanos";
  private final BenchmarkCase what;
  private final int decisions;
  private final MultisetStatistics nanos = new MultisetStatistics();
  private final List<Double> perSecond = new ArrayList<>();
  private double trips;
  private long calls;
  private final List<Double> bytes = new ArrayList<>();
  private final List<List<Double>> percentiles =
      List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());

  IterationStats(BenchmarkCase what) {
    this.what = what;
    decisions = what.decisions();
  }

  @SuppressWarnings("rawtypes")
  void add(IterationResult iteration) {
    Result primary = iteration.getPrimaryResult();
    Map<String, Result> others = iteration.getSecondaryResults();
    if (what.question().counted()) {
      Result took = others.get(NANOS);
      perSecond.add(
          took == null
              ? primary.getScore()
              : iteration.getMetadata().getAllOps() * 1e9 / took.getScore());
      String[] counters = {"p50Nanos", "p99Nanos", "p999Nanos"};
      for (int i = 0; i < counters.length; i++) {
        Result counter = others.get(counters[i]);
        if (counter != null) {
          percentiles.get(i).add(counter.getScore() / 1e3);
        }
      }
    } else {
      perSecond.add(what.threads() * 1e6 * decisions / primary.getScore());
      add(primary.getStatistics());
    }
    Result counted = others.get(TRIPS);
    if (what.question() == BenchmarkQuestion.NEAR && counted != null) {
      trips += counted.getScore();
      calls += iteration.getMetadata().getAllOps();
    }
    others.entrySet().stream()
        .filter(other -> other.getKey().endsWith(ALLOCATED))
        .forEach(other -> bytes.add(other.getValue().getScore() / decisions));
  }

  MeasuredCase measured() {
    if (!(RoundRatio.median(perSecond) > 0)) {
      return MeasuredCase.failed(what, "no call ended in time");
    }
    return new MeasuredCase(
        what,
        perSecond,
        percentile(0, 50),
        percentile(1, 99),
        percentile(2, 99.9),
        RoundRatio.median(bytes),
        calls == 0 ? -1 : trips / calls,
        null);
  }

  private void add(Statistics iteration) {
    Iterator<Map.Entry<Double, Long>> values = iteration.getRawData();
    while (values.hasNext()) {
      Map.Entry<Double, Long> value = values.next();
      nanos.addValue(value.getKey(), value.getValue());
    }
  }

  private double percentile(int of, double rank) {
    if (what.question() == BenchmarkQuestion.NEAR) {
      return 0;
    }
    return what.question() == BenchmarkQuestion.ASYNC
        ? RoundRatio.median(percentiles.get(of))
        : nanos.getPercentile(rank) / decisions;
  }
}
