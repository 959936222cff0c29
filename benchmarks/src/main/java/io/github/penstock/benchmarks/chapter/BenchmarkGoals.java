package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.limiter.TripSaving;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.BenchmarkTables;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.benchmarks.result.NearCost;
import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The goals that have figures in a run. */
final class BenchmarkGoals {
  private static final double ALMOST_RAW = 0.95;
  private final BenchmarkResults results;
  private final List<RedisClientType> clients;
  private final List<BenchmarkGoal> goals = new ArrayList<>();

  private BenchmarkGoals(BenchmarkResults results, List<RedisClientType> clients) {
    this.results = results;
    this.clients = clients;
  }

  static ResultTable<BenchmarkGoal> of(BenchmarkResults results, List<RedisClientType> clients) {
    BenchmarkGoals all = new BenchmarkGoals(results, clients);
    int threads = BenchmarkProfile.THREADS;
    all.toSameCommands("one by one", client -> bucket(client, threads));
    all.toSameCommands(
        "in batches of 100",
        client -> BenchmarkCase.batch(client, PenstockAlgorithm.TOKEN_BUCKET, threads));
    all.toSameCommands(
        "256 in flight", client -> BenchmarkCase.async(client, PenstockAlgorithm.TOKEN_BUCKET));
    all.bytes();
    all.near("denials from memory", 100, SubjectWorkload.EXHAUSTED, TripSaving.REMEMBERED);
    all.near("leases of 100", 100, SubjectWorkload.HOT, TripSaving.LEASED_100);
    all.near("leases of 10", 10, SubjectWorkload.HOT, TripSaving.LEASED_10);
    all.remembering();
    all.server("an allowed call's time on the server, to the same commands", 1.25, true);
    all.server("a denied call's time on the server, to the same commands", 1.4, false);
    return new ResultTable<BenchmarkGoal>("Goals", all.goals)
        .words("figure of the token bucket", BenchmarkGoal::what)
        .words("where", BenchmarkGoal::place)
        .figure("measured", FigureKind.WRITTEN, BenchmarkGoal::figureText)
        .figure("goal", FigureKind.WRITTEN, BenchmarkGoal::boundText)
        .words("verdict", BenchmarkGoal::verdict)
        .note("Open: the rounds of this run differ by more than is missing.");
  }

  static BenchmarkCase bucket(RedisClientType client, int threads) {
    return BenchmarkCase.bucket(client, SubjectWorkload.ALLOWED, threads);
  }

  private void toSameCommands(String how, Function<RedisClientType, BenchmarkCase> asked) {
    for (RedisClientType client : clients) {
      atLeast(
          "decisions a second " + how + ", to the same commands sent raw",
          client.title(),
          ALMOST_RAW,
          results.find(asked.apply(client)).flatMap(results::toSameCommands));
    }
  }

  private void bytes() {
    for (RedisClientType client : clients) {
      results
          .find(bucket(client, BenchmarkProfile.THREADS))
          .flatMap(results::bytesBeyond)
          .filter(Double::isFinite)
          .ifPresent(
              bytes -> atMost("bytes allocated beyond the raw call", client.title(), 1_500, bytes));
    }
  }

  private void near(String what, double bound, SubjectWorkload workload, TripSaving saving) {
    for (int threads : List.of(BenchmarkProfile.THREADS, BenchmarkProfile.MANY_THREADS)) {
      for (RedisClientType client : clients) {
        Optional<MeasuredCase> measured =
            results.find(BenchmarkCase.near(client, saving, workload, threads));
        atLeast(
            what + ", to Bucket4j without its optimisations",
            client.title() + ", " + threads + " threads",
            bound,
            measured.flatMap(results::toBucket4j));
      }
    }
  }

  private void remembering() {
    String added = " that remembering denials adds to a call that it does not help";
    for (NearCost with : results.nearCosts()) {
      String place = NumberText.count(with.subjects(), "subject");
      with.asking(results.nearCosts())
          .ifPresent(
              without -> {
                atMost("ns" + added, place, 100, with.nanosBeyond(without));
                double more = Math.rint(with.bytesPerCall() - without.bytesPerCall());
                atMost("bytes" + added, place, 0, more);
              });
    }
  }

  private void server(String what, double bound, boolean allowed) {
    results
        .script(PenstockAlgorithm.TOKEN_BUCKET, ScriptCase.Form.SHIPPED, 1, allowed)
        .flatMap(
            ours ->
                BenchmarkTables.floor(ours, results.scripts())
                    .map(least -> RoundRatio.ofBest(ours.rounds(), least.rounds())))
        .ifPresent(ratio -> goals.add(new BenchmarkGoal(what, "", bound, false, ratio)));
  }

  private void atLeast(String what, String place, double bound, Optional<RoundRatio> figure) {
    figure.ifPresent(ratio -> goals.add(new BenchmarkGoal(what, place, bound, true, ratio)));
  }

  private void atMost(String what, String place, double bound, double figure) {
    goals.add(new BenchmarkGoal(what, place, bound, false, RoundRatio.exact(figure, 1)));
  }
}
