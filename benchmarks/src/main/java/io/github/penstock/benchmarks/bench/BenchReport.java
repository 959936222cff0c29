package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.report.Facts;
import io.github.penstock.benchmarks.report.Finding;
import io.github.penstock.benchmarks.report.Machine;
import io.github.penstock.benchmarks.report.Report;
import io.github.penstock.benchmarks.report.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The report of a bench: what follows from its figures, in words, pictures and tables. */
final class BenchReport {
  private final Results results;
  private final List<Client> clients;
  private final Facts facts;

  BenchReport(Results results, List<Client> clients, Facts facts) {
    this.results = results;
    this.clients = clients;
    this.facts = facts;
  }

  Report report() {
    ClientsChapter algorithms = new ClientsChapter(results, clients);
    PeersChapter peers = new PeersChapter(results, clients);
    ServerChapter server = new ServerChapter(results);
    Report report =
        new Report(
            "Penstock: what a decision costs",
            "Penstock decides in a script on the server whether a request may pass. This is what such a decision costs"
                + " with each algorithm and each Java client, beside the least that a call can cost and beside other"
                + " limiters, all measured on one machine in one run. The better part of a time is the way to the"
                + " server and back, so look at ratios: they carry over to your machines, the times do not.",
            facts);
    unfinished().ifPresent(report::inShort);
    busy().ifPresent(report::inShort);
    algorithms.unsteady().ifPresent(report::inShort);
    algorithms.floors().forEach(report::inShort);
    peers.inShort().forEach(report::inShort);
    server.inShort().forEach(report::inShort);
    return report
        .add(algorithms.chapter())
        .add(peers.chapter())
        .add(new AtOnceChapter(results, clients).chapter())
        .add(server.chapter())
        .add(new GrowthChapter(results).chapter());
  }

  private Optional<Finding> unfinished() {
    return facts.asMap().containsKey("Unfinished")
        ? Optional.of(
            new Finding(
                Verdict.CAUTION,
                "This run ended before everything was measured: what is missing was not reached."
                    + unmeasured()))
        : Optional.empty();
  }

  private String unmeasured() {
    List<String> names =
        clients.stream()
            .map(Client::title)
            .filter(
                name ->
                    results.clients().stream()
                        .noneMatch(m -> m.present() && m.client().equals(name)))
            .toList();
    return names.isEmpty() ? "" : " There is nothing of " + String.join(", ", names) + ".";
  }

  /* Figures of a machine that does other things are figures of those. */
  private Optional<Finding> busy() {
    double load = Machine.loadBefore();
    return load > Machine.cores() / 2.0
        ? Optional.of(
            new Finding(
                Verdict.CAUTION,
                String.format(
                    Locale.ROOT,
                    "The machine was busy with other things when this began (load %.1f on %d processors): take every"
                        + " figure as rough, and repeat the run on a quiet one.",
                    load,
                    Machine.cores())))
        : Optional.empty();
  }
}
