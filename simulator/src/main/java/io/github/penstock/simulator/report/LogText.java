package io.github.penstock.simulator.report;

import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.log.LogCount;
import io.github.penstock.simulator.log.LogCount.Kind;
import io.github.penstock.simulator.replay.TrafficComparison.LogPlayed;
import io.github.penstock.simulator.stats.FairnessStats;
import io.github.penstock.simulator.stats.ReplayStats;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** The contents of a log, and what must be known of it to trust the figures. */
public final class LogText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
  private final LogPlayed log;
  private final ReplayStats stats;
  private final List<LogNote> notes = new ArrayList<>();

  /**
   * One thing to know; foreign text may be in it.
   *
   * @param details of it, a line each
   */
  public record LogNote(String text, List<String> details) {}

  public LogText(LogPlayed log) {
    this.log = log;
    this.stats = log.played().results().get(0).stats();
  }

  /** How many requests of whom, when. */
  public String about() {
    return "%s of %s%s (%s), %s to %s UTC"
        .formatted(
            NumberText.count(stats.asked(), "request"),
            stats.shares().requestsBeyond() > 0 ? "more than " : "",
            NumberText.count(stats.shares().subjects(), "subject"),
            log.subject(),
            time(stats.firstUs()),
            time(stats.lastUs()));
  }

  /** To the second, UTC. */
  static String time(long micros) {
    return TIME.format(Instant.ofEpochSecond(micros / 1_000_000));
  }

  /** Everything that a reader must know. */
  public List<LogNote> notes() {
    LogCount count = log.count();
    notes.clear();
    if (log.derived()) {
      note(
          "No --limit was given: 99 % of the subjects never ask for more than "
              + log.played().results().get(0).candidate().rate()
              + " (by the clock), so this is compared.");
    }
    long unreadable = count.of(Kind.UNREADABLE);
    if (unreadable > 0) {
      String lines = NumberText.count(unreadable, "line") + " could not be read and ";
      boolean all = unreadable == count.complaints().size();
      notes.add(
          new LogNote(
              lines + (unreadable == 1 ? "is" : "are") + " left out" + (all ? ":" : ", the first:"),
              count.complaints()));
    }
    count.cutShort().forEach(cut -> note(cut + "; what comes before is played."));
    note(Kind.WITHOUT_SUBJECT, "request", "without a subject: left out.");
    note(Kind.WITHOUT_COST, "request", "without a cost: each costs 1.");
    note(
        Kind.PUT_IN_ORDER,
        "line",
        "after lines of a later time: each was played where it belongs.");
    if (count.wholeSeconds()) {
      note(
          "The log tells whole seconds: requests of a second count as made at its beginning, all at"
              + " once. Limits over a few seconds look stricter than they would have been.");
    }
    long beyond = stats.shares().requestsBeyond();
    if (beyond > 0) {
      note(
          "Subjects are told apart up to %s; %s requests of later ones are decided and counted, but not in the figures by subject."
              .formatted(NumberText.count(FairnessStats.MOST), NumberText.count(beyond)));
    }
    return List.copyOf(notes);
  }

  private void note(Kind kind, String what, String rest) {
    long number = log.count().of(kind);
    if (number > 0) {
      note(NumberText.count(number, what) + " " + rest);
    }
  }

  private void note(String text) {
    notes.add(new LogNote(text, List.of()));
  }
}
