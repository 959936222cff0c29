package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Compare.LogPlayed;
import io.github.penstock.benchmarks.report.ReportFiles;
import java.util.List;

final class CompareReport {
  CompareReport(String server, List<String> arguments) {}

  void add(Scenario scenario, Played played, boolean own) {}

  void add(LogPlayed log, boolean derived, String subject) {}

  void write(ReportFiles files, long decisions) {}
}
