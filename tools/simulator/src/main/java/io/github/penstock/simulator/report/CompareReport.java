package io.github.penstock.simulator.report;

import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.ReportDocument;
import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.RunFacts;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.replay.TrafficComparison.LogPlayed;
import io.github.penstock.simulator.report.LogText.LogNote;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The report of a comparison: findings, pictures, tables, and how to repeat it. */
public final class CompareReport {
  private static final int LONGEST = 1_000;
  private static final String TITLE = "Penstock: what a limit does to traffic";
  private static final String TRY = "./penstock compare --log access.log";
  private static final int MOST_LINKED = 6;
  private final RunFacts facts;
  private final @Nullable URI site;
  private final List<TrafficChapter> chapters = new ArrayList<>();
  private final List<ReportFinding> glance = new ArrayList<>();
  private final List<ReplayResult> scenarios = new ArrayList<>();
  private final List<Object> measured = new ArrayList<>();
  private @Nullable LogPlayed log;
  private @Nullable LimitAdvice advice;

  /**
   * An empty report.
   *
   * @param site whose playground the page links to; null for no link
   */
  public CompareReport(String server, List<String> arguments, @Nullable URI site) {
    this.site = site;
    facts = RunFacts.here().add("Server", server).command(arguments);
  }

  public void add(ReplayResult played) {
    scenarios.add(played);
    chapters.add(new TrafficChapter(played, played.results(), LimitCautions.of(played)));
    measured.add(JsonReport.of(played));
  }

  /** Adds a log: the advice, its demand, and the reliability of both. */
  public void add(LogPlayed read) {
    log = read;
    LimitAdvice advised = new LimitAdvice(read);
    advice = advised;
    glance.addAll(new LogText(read).cautions());
    glance.addAll(LimitCautions.of(read.played()));
    new DemandText(read).notes().stream().map(ReportFinding::note).forEach(glance::add);
    List<ReportFinding> notes =
        new LogText(read)
            .notes().stream().map(CompareReport::paragraph).map(ReportFinding::note).toList();
    List<LimitResult> named = advised.named();
    chapters.add(
        new TrafficChapter(
            read.played(), named.isEmpty() ? read.played().results() : named, notes));
    measured.add(
        ReportFiles.fields(
            "read", JsonReport.of(read.count()),
            "played", JsonReport.of(read.played()),
            "advice", advised.json()));
  }

  private static String paragraph(LogNote note) {
    String details = note.details().isEmpty() ? "" : " " + String.join("; ", note.details()) + ".";
    return SafeText.terminal(note.text() + details, LONGEST);
  }

  /**
   * Writes all of it.
   *
   * @param decisions the number of decisions by their origin
   */
  public void write(ReportFiles files, String decisions) {
    facts.add("Decisions", decisions);
    ReportDocument report = log == null ? ofScenarios() : ofLog(log);
    if (site != null) {
      report.links("Try these limits in the playground", playground(site));
    }
    glance.forEach(report::inShort);
    if (log != null) {
      report.add(DemandChart.chapter(log));
    }
    for (int i = 0; i < chapters.size(); i++) {
      ReportChapter chapter = chapters.get(i).chapter();
      report.add(i == 0 && log == null ? chapter : chapter.folded());
    }
    files.write(report);
    files.write(facts, measured);
  }

  /** The origins of these decisions: the model, and the scripts for some or all. */
  public static String decisions(long made, long checked) {
    String all = NumberText.count(made, "decision");
    return made == checked
        ? all + ", all equal to the exact model."
        : all
            + " of the exact model. "
            + (checked == 0
                ? "The scripts made none of them: choose a larger --check."
                : "Of these the scripts made %s, too, all equal to it."
                    .formatted(NumberText.count(checked)));
  }

  private String playground(URI site) {
    Stream<ReplayResult> played = log == null ? scenarios.stream() : Stream.of(log.played());
    return played
        .flatMap(each -> each.results().stream())
        .map(each -> each.candidate().name())
        .distinct()
        .limit(MOST_LINKED)
        .collect(
            Collectors.joining(
                "&limit=", site.toString().replaceFirst("/$", "") + "/playground.html#limit=", ""));
  }

  private ReportDocument ofLog(LogPlayed read) {
    ReportDocument report =
        new ReportDocument(
            TITLE, "What each limit would have done to " + new LogText(read).about() + ".", facts);
    return advice == null
        ? report
        : (advice.hasLimit() ? report.opens(advice.table()) : report)
            .recommends(advice.sentence(), advice.limit());
  }

  private ReportDocument ofScenarios() {
    return new ReportDocument(
            TITLE,
            "The same built-in traffic, played against each limit by the scripts that run in"
                + " production, on a real server.",
            facts)
        .opens(LimitTables.scenarios(scenarios))
        .opens(LimitTables.mostPassed(scenarios))
        .recommends("Play your own access log: built-in traffic recommends nothing.", TRY);
  }
}
