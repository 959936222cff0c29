package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.report.FindingVerdict;
import io.github.penstock.report.MachineFacts;
import io.github.penstock.report.ReportDocument;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.RunFacts;
import io.github.penstock.report.text.NumberText;
import java.util.ArrayList;
import java.util.List;

/** The report of a bench: what follows from its figures, in words, pictures and tables. */
public final class BenchReport {
  private static final int FEWEST_CAUTIONS = 2;
  private final BenchmarkResults results;
  private final List<RedisClientType> clients;
  private final RunFacts facts;
  private final long perSecond;
  private final ClientChoice choice;
  private final double load;

  /**
   * Of what was measured.
   *
   * @param perSecond how many decisions a second the reader needs; 0 if that was not said
   */
  public BenchReport(
      BenchmarkResults results, List<RedisClientType> clients, RunFacts facts, long perSecond) {
    this(results, clients, facts, perSecond, MachineFacts.loadBefore());
  }

  /* Of a machine that was busy so far before. */
  BenchReport(
      BenchmarkResults results,
      List<RedisClientType> clients,
      RunFacts facts,
      long perSecond,
      double load) {
    this.load = load;
    this.perSecond = perSecond;
    this.choice = new ClientChoice(results, clients);
    this.results = results;
    this.clients = clients;
    this.facts = facts;
  }

  /**
   * The page.
   *
   * @param complete whether everything was measured that was to be
   */
  public ReportDocument report(boolean complete) {
    ClientsChapter algorithms = new ClientsChapter(results, clients);
    ReportDocument report =
        new ReportDocument(
                "Penstock: what a decision costs",
                "Each algorithm through each Java client, compared with the least that a call can"
                    + " cost and with other limiters, on one machine in one run. Ratios carry over to your"
                    + " machines, times do not.",
                facts)
            .recommends(advice(complete), "")
            .opens(choice.table());
    List<ReportFinding> cautions = cautions(complete);
    cautions.forEach(report::inShort);
    report
        .add(algorithms.chapter())
        .add(new PeersChapter(results, clients).chapter().folded())
        .add(new NearChapter(results, clients).chapter().folded())
        .add(new ConcurrencyChapter(results, clients).chapter().folded())
        .add(new ServerChapter(results, clients).chapter().folded())
        .add(new GrowthChapter(results, clients).chapter().folded());
    return decides(cautions) ? report : report.withoutVerdicts();
  }

  /**
   * The sentences that come first: how far one server goes, and which client to take; neither where
   * the run has itself two cautions.
   *
   * @param complete whether everything was measured that was to be
   */
  public List<String> advice(boolean complete) {
    List<ReportFinding> cautions = cautions(complete);
    return decides(cautions)
        ? choice.advice(perSecond)
        : List.of(
            "This run has %d cautions, so it recommends nothing and judges no goal: repeat it on a quiet machine."
                .formatted(cautions.size()));
  }

  private static boolean decides(List<ReportFinding> cautions) {
    return cautions.size() < FEWEST_CAUTIONS;
  }

  private List<ReportFinding> cautions(boolean complete) {
    List<ReportFinding> cautions = new ArrayList<>();
    if (!complete) {
      cautions.add(caution("This run was ended early: what is missing was not measured."));
    }
    if (load > MachineFacts.cores() / 2.0) {
      cautions.add(
          caution(
              "The machine was busy with other things when this began (load %s on %d processors): take every figure as rough, and repeat the run on a quiet one."
                  .formatted(NumberText.tenths(load), MachineFacts.cores())));
    }
    new ClientsChapter(results, clients).unsteady().ifPresent(cautions::add);
    return cautions;
  }

  private static ReportFinding caution(String sentence) {
    return new ReportFinding(FindingVerdict.CAUTION, sentence);
  }
}
