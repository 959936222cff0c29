package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.limiter.TripSaving;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.BenchmarkQuestion;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.BenchmarkTables;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.benchmarks.result.ServerUse;
import io.github.penstock.report.MachineFacts;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.ReportDocument;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.RunFacts;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The report of a bench: one table of the clients, and every figure in tables. */
public final class BenchReport {
  private static final double SECOND_US = 1e6;
  private static final int FEW_ROUNDS = 4;
  private static final double STEADY = 0.15;
  private final BenchmarkResults results;
  private final List<RedisClientType> clients;
  private final RunFacts facts;
  private final double load;

  public BenchReport(BenchmarkResults results, List<RedisClientType> clients, RunFacts facts) {
    this(results, clients, facts, MachineFacts.loadBefore());
  }

  BenchReport(
      BenchmarkResults results, List<RedisClientType> clients, RunFacts facts, double load) {
    this.results = results;
    this.clients = clients;
    this.facts = facts;
    this.load = load;
  }

  /**
   * The page.
   *
   * @param complete whether everything was measured that was to be
   */
  public ReportDocument report(boolean complete) {
    ReportDocument report =
        new ReportDocument(
                "Penstock: what a decision costs",
                "Each algorithm through each Java client, compared with the least that a call can"
                    + " cost and with other limiters, on one machine in one run. Ratios carry over"
                    + " to your machines, times do not.",
                facts)
            .opens(summary());
    cautions(complete).map(ReportFinding::caution).forEach(report::inShort);
    ResultTable<?> peers =
        clients("Other limiters", BenchmarkQuestion.PEER)
            .note(
                "Spring Cloud Gateway's script is called raw, and keeps whole seconds. RRateLimiter"
                    + " answers yes or no, and keeps an entry for every permit of its interval.");
    return report
        .add(
            new ReportChapter(
                    "Which algorithm, through which client?",
                    "8 threads ask for 10,000 subjects as fast as they can, all allowed.")
                .add(
                    clients(
                        "Algorithms and floors through each client",
                        BenchmarkQuestion.FLOOR,
                        BenchmarkQuestion.ALGORITHM)))
        .add(new ReportChapter("How does it compare with other limiters?", "").add(peers).folded())
        .add(
            new ReportChapter("What is gained by answering without a trip?", "")
                .add(clients("Decisions about one subject", BenchmarkQuestion.NEAR))
                .add(losses())
                .folded())
        .add(
            new ReportChapter("What is gained by not waiting for each decision?", "")
                .add(
                    clients(
                        "Batches and calls in flight",
                        BenchmarkQuestion.BATCH,
                        BenchmarkQuestion.ASYNC))
                .folded())
        .add(
            new ReportChapter("What does a decision cost the server?", "")
                .add(BenchmarkTables.scripts(results.scripts()))
                .add(BenchmarkTables.reservations(results.reservations()))
                .add(BenchmarkTables.uses(results.server()))
                .folded());
  }

  public ResultTable<MeasuredCase> summary() {
    return new ResultTable<MeasuredCase>(
            "Token bucket, 8 threads that ask for 10,000 subjects one by one, all allowed",
            clients.stream()
                .flatMap(client -> ours(client, BenchmarkProfile.THREADS).stream())
                .toList())
        .words("client", m -> m.what().client().title())
        .figure("decisions a second here", FigureKind.COUNT, MeasuredCase::perSecond)
        .brief("decisions|a second")
        .figure(
            "ratio to the same commands sent raw",
            FigureKind.HUNDREDTHS,
            m -> BenchmarkTables.value(results.toSameCommands(m)))
        .brief("to the same|commands")
        .figure("99 % take at most, µs", FigureKind.COUNT, MeasuredCase::p99Micros)
        .brief("99 %,|µs")
        .figure(
            "µs of the server's thread",
            FigureKind.TENTHS,
            m -> micros(m.what().client()).orElse(null))
        .brief("server's|µs")
        .figure(
            "one server makes at least, a second",
            FigureKind.COUNT,
            m -> capacity(m.what().client()).orElse(null))
        .brief("one server|at least")
        .note(
            "The same commands sent raw are the floor: a ratio above 1 is noise. One server makes"
                + " at least what its time for one decision allows, or what 8 or 64 threads"
                + " reached; batches make more.");
  }

  /* A busier server takes less time for each decision. */
  private Optional<Double> capacity(RedisClientType client) {
    return micros(client)
        .map(
            micros ->
                Stream.of(BenchmarkProfile.THREADS, BenchmarkProfile.MANY_THREADS)
                    .flatMap(threads -> ours(client, threads).stream())
                    .map(MeasuredCase::perSecond)
                    .reduce(SECOND_US / micros, Math::max));
  }

  private Optional<Double> micros(RedisClientType client) {
    return results
        .use(PenstockAlgorithm.TOKEN_BUCKET, client, SubjectWorkload.ALLOWED)
        .map(ServerUse::processMicros)
        .filter(micros -> micros > 0);
  }

  private Optional<MeasuredCase> ours(RedisClientType client, int threads) {
    return results.find(BenchmarkCase.bucket(client, SubjectWorkload.ALLOWED, threads));
  }

  private ResultTable<MeasuredCase> clients(String title, BenchmarkQuestion... questions) {
    return BenchmarkTables.clients(results, title, questions);
  }

  private ResultTable<TripSaving> losses() {
    List<TripSaving> measured =
        Stream.of(TripSaving.values())
            .filter(each -> results.clients().stream().anyMatch(m -> m.what().candidate() == each))
            .toList();
    return new ResultTable<TripSaving>("What each gives up", measured)
        .words("how", TripSaving::title)
        .words("what a limit loses", TripSaving::givesUp);
  }

  private Stream<String> cautions(boolean complete) {
    int rounds =
        results.clients().stream()
            .filter(MeasuredCase::present)
            .mapToInt(m -> m.iterations().size())
            .min()
            .orElse(FEW_ROUNDS);
    Stream.Builder<String> cautions = Stream.builder();
    if (!complete) {
      cautions.add("This run was ended early: what is missing was not measured.");
    }
    if (load > MachineFacts.cores() / 2.0) {
      cautions.add(
          "The machine was busy when this began (load %s on %d processors): repeat the run on a quiet one."
              .formatted(NumberText.tenths(load), MachineFacts.cores()));
    }
    if (rounds < FEW_ROUNDS) {
      cautions.add(
          "Some figures are of only %s: treat their ratios as rough."
              .formatted(NumberText.count(rounds, "round")));
    }
    results
        .widest()
        .filter(widest -> rounds >= FEW_ROUNDS && widest.spread() > STEADY)
        .map(BenchReport::unsteady)
        .ifPresent(cautions::add);
    return cautions.build();
  }

  private static String unsteady(RoundRatio widest) {
    return "The machine's speed varied: half of the rounds put one ratio between %s and %s. Measure longer: ./penstock bench -- -i 100."
        .formatted(NumberText.hundredths(widest.from()), NumberText.hundredths(widest.to()));
  }
}
