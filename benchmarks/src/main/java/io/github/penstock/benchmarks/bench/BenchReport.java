package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.report.Facts;
import io.github.penstock.benchmarks.report.Report;
import java.util.List;

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
    return new Report("What a decision costs", "", facts);
  }
}
