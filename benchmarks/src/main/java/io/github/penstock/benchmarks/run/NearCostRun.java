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

/**
 * Measures what remembering denials costs a call that it does not help, with and without,
 * interleaved.
 */
final class NearCostRun {
  private static final List<Duration> REMEMBERED = List.of(Duration.ZERO, Duration.ofMillis(100));
  private static final int SIZES = 2;
  private static final double FORK_SECONDS = 6;

  private NearCostRun() {}

  /** Returns how long it should take. */
  static double seconds(BenchmarkProfile profile) {
    int turns = (profile.warmups() + profile.turns()) * REMEMBERED.size();
    double turn = profile.turn().convertTo(TimeUnit.MILLISECONDS) / 1e3;
    return SIZES * (FORK_SECONDS + turns * turn);
  }

  static List<NearCost> measure(BenchmarkProfile profile) {
    List<NearCost> costs = new ArrayList<>();
    try {
      for (RunResult result : new Runner(options(profile)).run()) {
        for (int turn = 0; turn < REMEMBERED.size(); turn++) {
          costs.add(cost(result, turn));
        }
      }
    } catch (RunnerException failure) {
      OrderlyStop.check();
      throw new IllegalStateException(failure.getMessage(), failure);
    }
    return costs;
  }

  private static Options options(BenchmarkProfile profile) {
    TimeValue turn = profile.turn();
    return new OptionsBuilder()
        .include(NearCostBenchmark.class.getSimpleName())
        .param(
            "remembered",
            String.join(CaseGroup.SEPARATOR, REMEMBERED.stream().map(Duration::toString).toList()))
        .forks(1)
        .warmupIterations(profile.warmups() * REMEMBERED.size())
        .measurementIterations(profile.turns() * REMEMBERED.size())
        .warmupTime(turn)
        .measurementTime(turn)
        .addProfiler(GCProfiler.class)
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true)
        .build();
  }

  private static NearCost cost(RunResult result, int turn) {
    List<IterationResult> all =
        result.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .toList();
    List<IterationResult> own =
        IntStream.range(0, all.size())
            .filter(i -> i % REMEMBERED.size() == turn)
            .mapToObj(all::get)
            .toList();
    return new NearCost(
        Integer.parseInt(result.getParams().getParam("subjects")),
        !REMEMBERED.get(turn).isZero(),
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
