package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Compare.LogPlayed;
import io.github.penstock.benchmarks.report.Facts;
import io.github.penstock.benchmarks.report.Finding;
import io.github.penstock.benchmarks.report.Report;
import io.github.penstock.benchmarks.report.ReportFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report of a comparison: findings, pictures, tables, and how to repeat it. */
final class CompareReport {
  private static final int LONGEST = 1_000;
  private final Facts facts;
  private final List<Finding> glance = new ArrayList<>();
  private final List<TrafficChapter> chapters = new ArrayList<>();
  private final List<Object> measured = new ArrayList<>();
  private String lead =
      "A rate limiter decides which requests pass and which are denied. Here the same built-in traffic is played against"
          + " a fixed window, a token bucket and a leaky bucket, by the very scripts that run in production, on a real"
          + " server; so you see what each does to your callers and to what is behind it before you choose one.";

  CompareReport(String server, List<String> arguments) {
    facts = Facts.here().add("Server", server).command(arguments);
  }

  /** Adds a scenario that was played; under its own limits what is known of it is said. */
  void add(Scenario scenario, Played played, boolean own) {
    List<Finding> findings = new ArrayList<>();
    if (own && scenario.isShort()) {
      ShortScenarios.why(scenario, played).forEach(why -> findings.add(Finding.note(why)));
    } else {
      findings.addAll(Advice.of(played));
    }
    chapters.add(new TrafficChapter(played, findings));
    measured.add(Figures.of(played));
    if (own) {
      ScenarioAdvice.inShort(scenario, played).forEach(glance::add);
    }
  }

  /** Adds a log that was played. */
  void add(LogPlayed log, boolean derived, String subject) {
    Played played = log.played();
    lead =
        "What each of these limits would have done to this log: "
            + LogText.about(log, subject)
            + ". A subject is whoever has a limit of its own. The requests were played, at the times that the log tells,"
            + " by the very scripts that run in production.";
    glance.addAll(Advice.of(played));
    List<Finding> notes =
        LogText.paragraphs(log, derived).stream()
            .map(note -> Finding.note(Say.foreign(note, LONGEST)))
            .toList();
    chapters.add(new TrafficChapter(played, notes));
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("read", Figures.of(log.count()));
    figures.put("played", Figures.of(played));
    measured.add(figures);
  }

  /** Writes it. */
  void write(ReportFiles files, long decisions) {
    facts.add(
        "Decisions",
        Say.count(decisions) + ", all equal to the exact model (reply and all six integers)");
    Report report = new Report("Penstock: what a limit does to traffic", lead, facts);
    glance.forEach(report::inShort);
    chapters.forEach(chapter -> report.add(chapter.chapter()));
    files.write(report);
    files.write(facts, measured);
  }
}
