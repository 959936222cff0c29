package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Compare.LogPlayed;
import io.github.penstock.benchmarks.compare.log.LogCount;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** What is said about a log: what it holds, and what must be known to trust the figures. */
final class LogText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

  private static final String INDENT = "  ";
  private static final String UNREADABLE = " could not be read and ";

  private LogText() {}

  /** How many requests of whom, when. */
  static String about(LogPlayed log, String subject) {
    Tally tally = log.played().results().get(0).tally();
    boolean more = tally.shares().requestsBeyond() > 0;
    return "%s of %s%s (%s), %s to %s UTC"
        .formatted(
            Say.count(tally.asked(), "request"),
            more ? "more than " : "",
            Say.count(tally.shares().subjects(), "subject"),
            subject,
            time(tally.firstUs()),
            time(tally.lastUs()));
  }

  /** To the second, UTC. */
  static String time(long micros) {
    return TIME.format(Instant.ofEpochSecond(micros / 1_000_000));
  }

  /** Everything about the log that a reader must know; foreign text is in it. */
  static List<String> notes(LogPlayed log, boolean derived) {
    LogCount count = log.count();
    List<String> notes = new ArrayList<>();
    if (derived) {
      notes.add(
          "No --limit was given: 99 % of the subjects never ask for more than "
              + Span.rate(log.played().results().get(0).candidate())
              + " (by the clock), so this is compared.");
    }
    if (count.unreadable() > 0) {
      notes.add(
          Say.count(count.unreadable())
              + (count.unreadable() == 1 ? " line" : " lines")
              + UNREADABLE
              + (count.unreadable() == 1 ? "is" : "are")
              + " left out"
              + (count.unreadable() > count.complaints().size() ? ", the first:" : ":"));
    }
    count.complaints().stream()
        .filter(complaint -> !count.cutShort().contains(complaint))
        .forEach(complaint -> notes.add(INDENT + complaint));
    count.cutShort().forEach(cut -> notes.add(cut + "; what comes before is played."));
    if (count.withoutSubject() > 0) {
      boolean one = count.withoutSubject() == 1;
      notes.add(
          Say.count(count.withoutSubject(), "request")
              + (one
                  ? " names no subject and is left out."
                  : " name no subject and are left out."));
    }
    if (count.withoutCost() > 0) {
      boolean one = count.withoutCost() == 1;
      notes.add(
          Say.count(count.withoutCost(), "request")
              + (one ? " names no cost: it costs 1." : " name no cost: each costs 1."));
    }
    order(count, notes);
    if (count.wholeSeconds()) {
      notes.add(
          "The log tells whole seconds: requests of a second count as made at its beginning, all at once. Limits over"
              + " a few seconds look stricter than they would have been.");
    }
    beyond(log, notes);
    return notes;
  }

  /** The notes for a page: the lines that could not be read are one of them, the last. */
  static List<String> paragraphs(LogPlayed log, boolean derived) {
    List<String> paragraphs = new ArrayList<>();
    StringBuilder unreadable = new StringBuilder();
    for (String note : notes(log, derived)) {
      boolean complaint = note.startsWith(INDENT);
      if (complaint || note.contains(UNREADABLE)) {
        unreadable.append(complaint && !unreadable.toString().endsWith(":") ? ";" : "");
        unreadable.append(complaint ? " " : "").append(note.strip());
      } else {
        paragraphs.add(note);
      }
    }
    if (!unreadable.isEmpty()) {
      paragraphs.add(unreadable + ".");
    }
    return paragraphs;
  }

  private static void order(LogCount count, List<String> notes) {
    if (count.sorted() > 0) {
      notes.add(
          Say.count(count.sorted(), "line")
              + " stood after lines of a later time; each was played where it belongs.");
    }
    if (count.late() > 0) {
      notes.add(
          Say.count(count.late(), "line")
              + " came more than 10,000 requests too late to be put in order; each was played at the time"
              + " reached by then.");
    }
  }

  private static void beyond(LogPlayed log, List<String> notes) {
    Shares shares = log.played().results().get(0).tally().shares();
    if (shares.requestsBeyond() > 0) {
      notes.add(
          "Subjects are told apart up to "
              + Say.count(Shares.MOST)
              + "; "
              + Say.count(shares.requestsBeyond())
              + " requests of later ones are decided and counted, but not in the figures by subject.");
    }
  }
}
