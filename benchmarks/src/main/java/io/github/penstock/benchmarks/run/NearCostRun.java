package io.github.penstock.benchmarks.run;

import io.github.penstock.benchmarks.jmh.NearCostBenchmark;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.CaseGroup;
import io.github.penstock.benchmarks.result.NearCost;
import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.report.console.OrderlyStop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures the cost of remembering denials for other calls, with and without, interleaved. */
final class NearCostRun {
  private static final List<Duration> REMEMBERED = List.of(Duration.ZERO, Duration.ofMillis(100));
  private static final int SIZES = 2;
  private static final double FORK_SECONDS = 6;

  private NearCostRun() {}

  /** Returns how long it should take. */
  static double seconds(BenchmarkProfile profile) {
    int iterations = (profile.warmups() + profile.iterations()) * REMEMBERED.size();
    double iteration = profile.iterationTime().convertTo(TimeUnit.MILLISECONDS) / 1e3;
    return SIZES * (FORK_SECONDS + iterations * iteration);
  }

  static List<NearCost> measure(BenchmarkProfile profile) {
    List<NearCost> costs = new ArrayList<>();
    try {
      for (RunResult result : new Runner(options(profile)).run()) {
        for (int one = 0; one < REMEMBERED.size(); one++) {
          costs.add(cost(result, one));
        }
      }
    } catch (RunnerException failure) {
      OrderlyStop.check();
      throw new IllegalStateException(failure.getMessage(), failure);
    }
    return costs;
  }

  private static Options options(BenchmarkProfile profile) {
    TimeValue time = profile.iterationTime();
    return new OptionsBuilder()
        .include(NearCostBenchmark.class.getSimpleName())
        .param(
            "remembered",
            String.join(CaseGroup.SEPARATOR, REMEMBERED.stream().map(Duration::toString).toList()))
        .forks(1)
        .warmupIterations(profile.warmups() * REMEMBERED.size())
        .measurementIterations(profile.iterations() * REMEMBERED.size())
        .warmupTime(time)
        .measurementTime(time)
        .addProfiler(GCProfiler.class)
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true)
        .build();
  }

  private static NearCost cost(RunResult result, int one) {
    List<IterationResult> all =
        result.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .toList();
    List<IterationResult> own =
        IntStream.range(0, all.size())
            .filter(i -> i % REMEMBERED.size() == one)
            .mapToObj(all::get)
            .toList();
    return new NearCost(
        Integer.parseInt(result.getParams().getParam("subjects")),
        !REMEMBERED.get(one).isZero(),
        own.stream().map(each -> each.getPrimaryResult().getScore()).toList(),
        RoundRatio.median(own.stream().map(NearCostRun::bytes).toList()));
  }

  @SuppressWarnings("rawtypes")
  private static double bytes(IterationResult iteration) {
    Map<String, Result> others = iteration.getSecondaryResults();
    return others.entrySet().stream()
        .filter(other -> other.getKey().endsWith(IterationStats.ALLOCATED))
        .mapToDouble(other -> other.getValue().getScore())
        .findFirst()
        .orElse(-1);
  }
}
