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

  private LogText() {}

  /** How many requests of whom, when. */
  static String about(LogPlayed log, String subject) {
    Tally tally = log.played().results().get(0).tally();
    boolean more = tally.shares().requestsBeyond() > 0;
    return "%s requests of %s%s %s (%s), %s to %s UTC"
        .formatted(
            Say.count(tally.asked()),
            more ? "more than " : "",
            Say.count(tally.shares().subjects()),
            tally.shares().subjects() == 1 ? "subject" : "subjects",
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
              + " could not be read and "
              + (count.unreadable() == 1 ? "is" : "are")
              + " left out"
              + (count.unreadable() > count.complaints().size() ? ", the first:" : ":"));
    }
    count.complaints().stream()
        .filter(complaint -> !count.cutShort().contains(complaint))
        .forEach(complaint -> notes.add("  " + complaint));
    count.cutShort().forEach(cut -> notes.add(cut + "; what comes before is played."));
    if (count.withoutSubject() > 0) {
      notes.add(Say.count(count.withoutSubject()) + " requests name no subject and are left out.");
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

  private static void order(LogCount count, List<String> notes) {
    if (count.sorted() > 0) {
      notes.add(
          Say.count(count.sorted())
              + " lines stood after lines of a later time; they were played where they belong.");
    }
    if (count.late() > 0) {
      notes.add(
          Say.count(count.late())
              + " lines came more than 10,000 requests too late to be put in order; they were played at the time"
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
