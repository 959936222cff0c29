package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
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

  public BenchReport(BenchmarkResults results, List<RedisClientType> clients, RunFacts facts) {
    this.results = results;
    this.clients = clients;
    this.facts = facts;
  }

  public ReportDocument report() {
    ClientsChapter algorithms = new ClientsChapter(results, clients);
    PeersChapter peers = new PeersChapter(results, clients);
    ServerChapter server = new ServerChapter(results, clients);
    ReportDocument report =
        new ReportDocument(
            "Penstock: what a decision costs",
            "Penstock decides in a script on the server whether a request may pass. This is what such a decision costs"
                + " with each algorithm and each Java client, beside the least that a call can cost and beside other"
                + " limiters, all measured on one machine in one run. The better part of a time is the way to the"
                + " server and back, so look at ratios: they carry over to your machines, the times do not.",
            facts);
    cautions(report);
    algorithms.unsteady().ifPresent(report::inShort);
    algorithms.goal().ifPresent(report::inShort);
    server.goals().forEach(report::inShort);
    peers.findings().forEach(report::inShort);
    server.peers(SubjectWorkload.ALLOWED).forEach(report::inShort);
    return report
        .add(algorithms.chapter())
        .add(peers.chapter())
        .add(new ConcurrencyChapter(results, clients).chapter())
        .add(server.chapter())
        .add(new GrowthChapter(results, clients).chapter());
  }

  private void cautions(ReportDocument report) {
    if (facts.asMap().containsKey("Unfinished")) {
      caution(
          report,
          "This run ended before everything was measured: what is missing was not reached.");
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
