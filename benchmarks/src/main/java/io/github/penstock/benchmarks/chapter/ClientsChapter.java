package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.BenchmarkQuestion;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.BenchmarkTables;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.report.FindingVerdict;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.chart.BarChart;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.report.text.NumberText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The cost of a decision with each algorithm through each client, beside the floors. */
record ClientsChapter(BenchmarkResults results, List<RedisClientType> clients)
    implements BenchChapter {
  /** The goal for the ratio to the same server commands sent raw. */
  static final double GOAL = 0.95;

  private static final BenchmarkGoal DECISIONS =
      new BenchmarkGoal(
          "Decisions a second, token bucket, as a ratio to the same server commands sent raw"
              + " through the same client",
          GOAL,
          true);
  private static final BenchmarkGoal BYTES =
      new BenchmarkGoal(
          "Bytes that a decision of the token bucket allocates beyond the raw call", 1_500, false);
  private static final int FEW_ROUNDS = 4;
  private static final double STEADY = 0.15;

  @Override
  public ReportChapter chapter() {
    BarChart beside =
        new BarChart("Beside the floor", "ratio to the same commands").numbers("0.00");
    BarChart throughput = new BarChart("Decisions a second", "decisions a second, 8 threads");
    BarChart threads = new BarChart("With more threads", "decisions a second");
    BarChart latency = new BarChart("How long a call takes", "microseconds");
    for (RedisClientType client : clients) {
      algorithms(client, beside, throughput);
      FloorCall floor = FloorCall.SAME_COMMANDS;
      Optional<MeasuredCase> least =
          results.find(BenchmarkCase.floor(client, floor, BenchmarkProfile.THREADS));
      bar(throughput, least, floor.title(), SeriesColor.GREY);
      threads(threads, client, 1);
      threads(threads, client, BenchmarkProfile.THREADS);
      threads(threads, client, BenchmarkProfile.MANY_THREADS);
      latency(latency, client);
    }
    ReportChapter chapter =
        new ReportChapter(
            "Which algorithm, through which client?",
            "8 threads ask for 10,000 subjects as fast as they can, all allowed. \"Same commands\""
                + " is the floor: a script that makes the same server commands and nothing else,"
                + " sent raw through the same client.");
    DECISIONS
        .finding(
            toSameCommands(
                client ->
                    BenchmarkCase.bucket(
                        client, SubjectWorkload.ALLOWED, BenchmarkProfile.THREADS)))
        .ifPresent(chapter::add);
    BYTES.finding(bytes()).ifPresent(chapter::add);
    add(
        chapter,
        beside,
        "Decisions a second as a ratio to the floor, the median of the rounds. 1 would be a limiter"
            + " that costs nothing beside its server commands.");
    add(chapter, throughput, "Longer is better. The grey bar is the floor.");
    if (threads.size() > clients.size()) {
      chapter.add(
          threads.figure(
              "Token bucket. One thread is shown where client and server could be bound to one"
                  + " processor, so that nobody sleeps."));
    }
    add(
        chapter,
        latency,
        "Token bucket, 8 threads that never pause: the time of a call is mostly waiting for its"
            + " turn. Shorter is better.");
    return chapter.add(
        BenchmarkTables.clients(
                results,
                "Algorithms and floors through each client",
                BenchmarkQuestion.FLOOR,
                BenchmarkQuestion.ALGORITHM)
            .note(
                "To ...: the ratio to the decisions a second of that floor, sent raw through the same client with as many threads. The same commands are those of an allowed or of a denied call, as"
                    + " the subjects ask. Its raw script is the token bucket's own: what is missing to 1 is the adapter's share."));
  }

  private void algorithms(RedisClientType client, BarChart beside, BarChart throughput) {
    for (PenstockAlgorithm each : PenstockAlgorithm.all()) {
      Optional<MeasuredCase> ours = ours(client, each);
      bar(throughput, ours, each.title(), color(each));
      ours.flatMap(results::toSameCommands)
          .ifPresent(ratio -> beside.bar(client.title(), each.title(), color(each), ratio.value()));
    }
  }

  private void threads(BarChart bars, RedisClientType client, int threads) {
    Optional<MeasuredCase> measured =
        results
            .find(BenchmarkCase.bucket(client, SubjectWorkload.ALLOWED, threads))
            .filter(MeasuredCase::quotable);
    bucket(bars, measured, NumberText.count(threads, "thread"), MeasuredCase::perSecond);
  }

  private void latency(BarChart bars, RedisClientType client) {
    Optional<MeasuredCase> ours = ours(client, PenstockAlgorithm.TOKEN_BUCKET);
    bucket(bars, ours, "half take at most", MeasuredCase::p50Micros);
    bucket(bars, ours, "99 % take at most", MeasuredCase::p99Micros);
  }

  /**
   * A warning if too few rounds were measured, or the machine was not equally fast meanwhile; empty
   * otherwise.
   */
  Optional<ReportFinding> unsteady() {
    int rounds =
        results.clients().stream()
            .filter(MeasuredCase::present)
            .mapToInt(m -> m.iterations().size())
            .min()
            .orElse(FEW_ROUNDS);
    if (rounds < FEW_ROUNDS) {
      return Optional.of(
          new ReportFinding(
              FindingVerdict.CAUTION,
              "Some figures are of only %s: treat their ratios as rough."
                  .formatted(NumberText.count(rounds, "round"))));
    }
    return results
        .widest()
        .filter(widest -> widest.spread() > STEADY)
        .map(
            widest ->
                new ReportFinding(
                    FindingVerdict.CAUTION,
                    "The machine's speed varied during this run: half of the rounds put one and the same ratio between %s and %s. Smaller differences count as none. Measure longer: ./penstock bench -- -i 100."
                        .formatted(
                            NumberText.hundredths(widest.from()),
                            NumberText.hundredths(widest.to()))));
  }

  private Map<String, RoundRatio> bytes() {
    Map<String, RoundRatio> beyond = new LinkedHashMap<>();
    for (RedisClientType client : clients) {
      ours(client, PenstockAlgorithm.TOKEN_BUCKET)
          .flatMap(results::bytesBeyond)
          .filter(Double::isFinite)
          .ifPresent(bytes -> beyond.put(client.title(), RoundRatio.exact(bytes, 1)));
    }
    return beyond;
  }

  private Optional<MeasuredCase> ours(RedisClientType client, PenstockAlgorithm algorithm) {
    return results.find(
        BenchmarkCase.algorithm(
            client, algorithm, SubjectWorkload.ALLOWED, 1, BenchmarkProfile.THREADS));
  }
}
