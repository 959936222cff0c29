package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.limiter.TripSaving;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.BenchmarkQuestion;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.BenchmarkTables;
import io.github.penstock.benchmarks.result.NearCost;
import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Decisions about one subject, with and without a trip for each. */
record NearChapter(BenchmarkResults results, List<RedisClientType> clients)
    implements BenchChapter {
  private static final List<Integer> THREADS =
      List.of(BenchmarkProfile.THREADS, BenchmarkProfile.MANY_THREADS);
  private static final String TO_BUCKET4J = "%s, as a ratio to Bucket4j without its optimisations";
  private static final double MOST_NANOS = 100;

  @Override
  public ReportChapter chapter() {
    ReportChapter chapter =
        new ReportChapter(
            "What is gained by answering without a trip?",
            "Everybody asks for one subject: one that is denied, or one that is allowed. Trips are calls of scripts and GETs, by the server's count.");
    goal("Denials from memory", 100, SubjectWorkload.EXHAUSTED, TripSaving.REMEMBERED, chapter);
    goal(
        "One hot subject, leases of 100", 100, SubjectWorkload.HOT, TripSaving.LEASED_100, chapter);
    goal("One hot subject, leases of 10", 10, SubjectWorkload.HOT, TripSaving.LEASED_10, chapter);
    costs(chapter);
    return chapter
        .add(
            BenchmarkTables.clients(results, "Decisions about one subject", BenchmarkQuestion.NEAR)
                .note(
                    "A hot subject is allowed, an exhausted one denied. To Bucket4j: as a ratio to the decisions a second of Bucket4j without its optimisations, for the same subject, through the same client, with as many threads."))
        .add(losses())
        .add(BenchmarkTables.nearCosts(results.nearCosts()));
  }

  private void goal(
      String what,
      double bound,
      SubjectWorkload workload,
      TripSaving saving,
      ReportChapter chapter) {
    new BenchmarkGoal(TO_BUCKET4J.formatted(what), bound, true)
        .finding(ratios(workload, saving))
        .ifPresent(chapter::add);
  }

  private void costs(ReportChapter chapter) {
    Map<String, RoundRatio> nanos = new LinkedHashMap<>();
    Map<String, RoundRatio> bytes = new LinkedHashMap<>();
    for (NearCost with : results.nearCosts()) {
      with.asking(results.nearCosts())
          .ifPresent(
              without -> {
                String place = NumberText.count(with.subjects(), "subject");
                nanos.put(place, RoundRatio.exact(with.nanosBeyond(without), 1));
                double more = Math.rint(with.bytesPerCall() - without.bytesPerCall());
                bytes.put(place, RoundRatio.exact(more, 1));
              });
    }
    String added = " that remembering denials adds to a call that it does not help";
    new BenchmarkGoal("Nanoseconds" + added, MOST_NANOS, false)
        .finding(nanos)
        .ifPresent(chapter::add);
    new BenchmarkGoal("Bytes" + added, 0, false).finding(bytes).ifPresent(chapter::add);
  }

  private Map<String, RoundRatio> ratios(SubjectWorkload workload, TripSaving saving) {
    Map<String, RoundRatio> ratios = new LinkedHashMap<>();
    for (int threads : THREADS) {
      for (RedisClientType client : clients) {
        results
            .find(BenchmarkCase.near(client, saving, workload, threads))
            .flatMap(results::toBucket4j)
            .ifPresent(ratio -> ratios.put(client.title() + ", " + threads + " threads", ratio));
      }
    }
    return ratios;
  }

  private ResultTable<TripSaving> losses() {
    List<TripSaving> measured =
        Arrays.stream(TripSaving.values())
            .filter(each -> results.clients().stream().anyMatch(m -> m.what().candidate() == each))
            .toList();
    return new ResultTable<TripSaving>("What each gives up", measured)
        .words("how", TripSaving::title)
        .words("what a limit loses", TripSaving::givesUp);
  }
}
