package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.report.FindingVerdict;
import io.github.penstock.report.MachineFacts;
import io.github.penstock.report.ReportDocument;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.RunFacts;
import io.github.penstock.report.text.NumberText;
import java.util.List;

/** The report of a bench: what follows from its figures, in words, pictures and tables. */
public final class BenchReport {
  private final BenchmarkResults results;
  private final List<RedisClientType> clients;
  private final RunFacts facts;
  private final long perSecond;
  private final ClientChoice choice;

  /**
   * Of what was measured.
   *
   * @param perSecond how many decisions a second the reader needs; 0 if that was not said
   */
  public BenchReport(
      BenchmarkResults results, List<RedisClientType> clients, RunFacts facts, long perSecond) {
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
            .recommends(advice(), "")
            .opens(choice.table());
    cautions(report, complete);
    algorithms.unsteady().ifPresent(report::inShort);
    report.add(algorithms.chapter());
    return report
        .add(new PeersChapter(results, clients).chapter().folded())
        .add(new NearChapter(results, clients).chapter().folded())
        .add(new ConcurrencyChapter(results, clients).chapter().folded())
        .add(new ServerChapter(results, clients).chapter().folded())
        .add(new GrowthChapter(results, clients).chapter().folded());
  }

  /** The sentences that come first: how far one server goes, and which client to take. */
  public List<String> advice() {
    return choice.advice(perSecond);
  }

  private static void cautions(ReportDocument report, boolean complete) {
    if (!complete) {
      caution(report, "This run was ended early: what is missing was not measured.");
    }
    double load = MachineFacts.loadBefore();
    if (load > MachineFacts.cores() / 2.0) {
      caution(
          report,
          "The machine was busy with other things when this began (load %s on %d processors): take every figure as rough, and repeat the run on a quiet one."
              .formatted(NumberText.tenths(load), MachineFacts.cores()));
    }
  }

  private static void caution(ReportDocument report, String sentence) {
    report.inShort(new ReportFinding(FindingVerdict.CAUTION, sentence));
  }
}
