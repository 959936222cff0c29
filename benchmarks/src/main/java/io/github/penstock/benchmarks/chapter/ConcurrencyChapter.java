package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
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
import java.util.List;
import java.util.function.Function;

/** Decisions without waiting for each one: batches, and many in flight. */
record ConcurrencyChapter(BenchmarkResults results, List<RedisClientType> clients)
    implements BenchChapter {
  private static final BenchmarkCandidate BUCKET = PenstockAlgorithm.TOKEN_BUCKET;

  @Override
  public ReportChapter chapter() {
    ReportChapter chapter =
        new ReportChapter(
            "What is gained by not waiting for each decision?",
            "The token bucket, 10,000 subjects, allowed: one decision at a time, a hundred"
                + " together, or one thread that never waits, with at most 256 in flight. Jedis is"
                + " not asynchronous. Where nobody waits, the server is the limit.");
    if (results.clients().stream().noneMatch(m -> m.what().question().atOnce())) {
      return chapter;
    }
    goal(chapter, "in batches of 100", ConcurrencyChapter::batch);
    goal(chapter, "256 in flight", ConcurrencyChapter::async);
    BarChart bars = new BarChart("Decisions a second", "decisions a second");
    for (RedisClientType client : clients) {
      BenchmarkCase single =
          BenchmarkCase.bucket(client, SubjectWorkload.ALLOWED, BenchmarkProfile.THREADS);
      bucket(bars, results.find(single), "one by one, 8 threads", MeasuredCase::perSecond);
      bucket(
          bars, results.find(batch(client)), "batches of 100, 8 threads", MeasuredCase::perSecond);
      bucket(bars, results.find(async(client)), "256 in flight, 1 thread", MeasuredCase::perSecond);
    }
    add(chapter, bars, "Longer is better.");
    return chapter.add(
        BenchmarkTables.clients(
                results,
                "Batches and calls in flight",
                BenchmarkQuestion.BATCH,
                BenchmarkQuestion.ASYNC)
            .note(
                "Microseconds: of a batch per decision; in flight, from the call to its answer. The same"
                    + " commands are sent raw in the same way, and so is the token bucket's own script:"
                    + " what is missing to 1 is the adapter's share."));
  }

  private void goal(
      ReportChapter chapter, String how, Function<RedisClientType, BenchmarkCase> asked) {
    String subject =
        "Decisions a second, token bucket, %s, as a ratio to the same server commands sent raw in"
            + " the same way";
    new BenchmarkGoal(subject.formatted(how), ClientsChapter.GOAL, true)
        .finding(toSameCommands(asked))
        .ifPresent(chapter::add);
  }

  private static BenchmarkCase batch(RedisClientType client) {
    return BenchmarkCase.batch(client, BUCKET, BenchmarkProfile.THREADS);
  }

  private static BenchmarkCase async(RedisClientType client) {
    return BenchmarkCase.async(client, BUCKET);
  }
}
