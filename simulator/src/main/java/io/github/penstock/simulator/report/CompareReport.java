package io.github.penstock.simulator.report;

import io.github.penstock.report.ReportDocument;
import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.RunFacts;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.TrafficComparison.LogPlayed;
import io.github.penstock.simulator.report.LogText.LogNote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The report of a comparison: findings, pictures, tables, and how to repeat it. */
public final class CompareReport {
  private static final int LONGEST = 1_000;
  private static final String TITLE = "Penstock: what a limit does to traffic";
  private final RunFacts facts;
  private final List<TrafficChapter> chapters = new ArrayList<>();
  private final List<ReportFinding> glance = new ArrayList<>();
  private final Map<String, List<String>> firsts = new TreeMap<>();
  private final List<Object> measured = new ArrayList<>();
  private String lead =
      "A rate limiter decides which requests pass and which are denied. Here the same built-in"
          + " traffic is played against each limit by the scripts that run in production, on a real"
          + " server; so you see what each does to your callers and to what is behind it before you"
          + " choose one.";

  public CompareReport(String server, List<String> arguments) {
    facts = RunFacts.here().add("Server", server).command(arguments);
  }

  /** Adds a built-in traffic that was played. */
  public void add(ReplayResult played) {
    LimitRanking ranking = new LimitRanking(played);
    if (ranking.isDecided()) {
      String first = played.label(ranking.order().get(0));
      firsts.computeIfAbsent(first, key -> new ArrayList<>()).add(played.title());
    }
    chapters.add(new TrafficChapter(played, ranking.findings()));
    measured.add(JsonReport.of(played));
  }

  /** Adds a log that was played. */
  public void add(LogPlayed log) {
    LogText text = new LogText(log);
    lead =
        "What each of these limits would have done to this log: "
            + text.about()
            + ". A subject is whoever has a limit of its own. The requests were played, at the"
            + " times that the log tells, by the scripts that run in production.";
    glance.addAll(new LimitRanking(log.played()).findings());
    List<ReportFinding> notes =
        text.notes().stream().map(CompareReport::paragraph).map(ReportFinding::note).toList();
    chapters.add(new TrafficChapter(log.played(), notes));
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("read", JsonReport.of(log.count()));
    figures.put("played", JsonReport.of(log.played()));
    measured.add(figures);
  }

  private static String paragraph(LogNote note) {
    String details = note.details().isEmpty() ? "" : " " + String.join("; ", note.details()) + ".";
    return SafeText.terminal(note.text() + details, LONGEST);
  }

  /** Writes it. */
  public void write(ReportFiles files, long decisions) {
    facts.add(
        "Decisions",
        NumberText.count(decisions)
            + ", all equal to the exact model (reply and all six integers)");
    ReportDocument report = new ReportDocument(TITLE, lead, facts);
    glance.forEach(report::inShort);
    firsts.forEach((limit, traffics) -> report.inShort(first(limit, traffics)));
    chapters.forEach(chapter -> report.add(chapter.chapter()));
    files.write(report);
    files.write(facts, measured);
  }

  private static ReportFinding first(String limit, List<String> traffics) {
    return ReportFinding.note(
        limit + " comes first in " + traffics.size() + ": " + String.join("; ", traffics) + ".");
  }
}
