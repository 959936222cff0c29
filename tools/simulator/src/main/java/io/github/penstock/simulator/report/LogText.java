package io.github.penstock.simulator.report;

import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.log.LogCount;
import io.github.penstock.simulator.log.LogCount.Kind;
import io.github.penstock.simulator.replay.TrafficComparison.LogPlayed;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.traffic.SubjectShare;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The contents of a log, and the facts needed to trust the figures. */
public final class LogText {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
  private final LogPlayed log;
  private final ReplayStats stats;
  private final ZoneId zone;
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
    this.zone = Objects.requireNonNull(log.played().zone(), "zone");
  }

  /** The log in a sentence: its number of requests, its subjects, and its times. */
  public String about() {
    String all = NumberText.count(log.played().asked(stats), "request");
    if (stats.hasCosts()) {
      all += " that cost " + NumberText.count(stats.unitsAsked(), "unit") + ",";
    }
    return "%s of %s (%s)%s, %s to %s %s"
        .formatted(
            all,
            log.played().whole(stats.shares().subjects())
                + (stats.shares().subjects() == 1 ? " subject" : " subjects"),
            log.subject(),
            sample().isWhole() ? "" : ", by a sample of " + sample(),
            time(stats.firstUs(), zone),
            time(stats.lastUs(), zone),
            zone);
  }

  private SubjectShare sample() {
    return log.played().sample().share();
  }

  /** How far the sample's requests, times N, are off those of the log: 0.1 if by a tenth. */
  double sampleError() {
    long all = log.count().of(Kind.REQUESTS);
    return sample().isWhole() ? 0 : (double) stats.asked() / all - 1;
  }

  static Instant instant(long micros) {
    return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
  }

  /** To the second. */
  static String time(long micros, ZoneId zone) {
    return TIME.format(instant(micros).atZone(zone));
  }

  /** A caution before the advice: that the clients may be a proxy. */
  public List<ReportFinding> cautions() {
    String proxies = log.count().proxies();
    return proxies.isEmpty() || !log.subject().matches("address(/\\d+)?")
        ? List.of()
        : List.of(
            ReportFinding.caution(
                proxies
                    + ": is this your proxy? --subject forwarded takes the client that it names, the"
                    + " first address in the last quoted field or in X-Forwarded-For."));
  }

  /** Everything that a reader must know. */
  public List<LogNote> notes() {
    LogCount count = log.count();
    notes.clear();
    if (!sample().isWhole()) {
      note(
          "Of the subjects a sample of %s was played, each for %s, and every subject that makes more than a thousandth of the requests: %s of %s. By these there are %s requests, %s %% off. Behind +/- stand two standard errors. The most of one subject is that of the subjects that were played."
              .formatted(
                  sample(),
                  NumberText.count(sample().oneIn()),
                  NumberText.count(count.of(Kind.REQUESTS) - count.of(Kind.NOT_IN_SAMPLE)),
                  NumberText.count(count.of(Kind.REQUESTS), "request"),
                  log.played().whole(stats.asked()),
                  NumberText.tenths(100 * Math.abs(sampleError()))));
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
    long words = count.of(Kind.WORDS_BEFORE_ADDRESS);
    if (words > 0) {
      note(
          "In %s the address is not the first word, as behind '%s': the last word before ident and user that reads as an address is taken."
              .formatted(NumberText.count(words, "line"), count.firstBefore()));
    }
    note(
        Kind.FROM_ZERO,
        "time",
        "count from 0, and were read as seconds or as --time-format says (ms, us or ns); the trace"
            + " begins at 2020-01-01.");
    note(Kind.WITHOUT_SUBJECT, "request", "without a subject: left out.");
    note(Kind.WITHOUT_COST, "request", "without a cost: each costs 1.");
    note(Kind.PUT_IN_ORDER, "line", "out of order: each was played at its own time.");
    if (count.wholeSeconds()) {
      note(
          "The log has whole seconds only: all requests of a second are played at its beginning."
              + " Limits shorter than about ten seconds look stricter than they are."
              + (log.played().results().get(0).leasing() == null
                  ? ""
                  : " Leases are taken in bursts then, so the trips that they save are a guess."));
    }
    if (count.of(Kind.WITHOUT_ZONE) > 0) {
      note(
          "The times name no zone and are read as %s%s."
              .formatted(zone, log.zoneGiven() ? "" : "; for another zone: --time-zone ZONE"));
    }
    note(
        Kind.IN_REPEATED_HOUR,
        "request",
        "at times that came twice, as clocks were set back: of the two, the one nearer to the"
            + " request before is taken.");
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
