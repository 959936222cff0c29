package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Played.Result;
import io.github.penstock.benchmarks.compare.Shares.Share;
import io.github.penstock.benchmarks.report.Bars;
import io.github.penstock.benchmarks.report.Chapter;
import io.github.penstock.benchmarks.report.DataTable;
import io.github.penstock.benchmarks.report.Figure;
import io.github.penstock.benchmarks.report.Finding;
import io.github.penstock.benchmarks.report.Hue;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** One traffic in the report: what each limit made of it. */
final class TrafficChapter {
  private static final int MOST_DENIED = 10;
  private static final List<Hue> HUES =
      List.of(Hue.PURPLE, Hue.RED, Hue.BLUE, Hue.GREEN, Hue.ORANGE);
  private final Played played;
  private final List<Finding> findings;
  private final long slotUs;

  TrafficChapter(Played played, List<Finding> findings) {
    this.played = played;
    this.findings = findings;
    this.slotUs =
        played.results().stream()
            .mapToLong(result -> result.tally().series().widthUs())
            .max()
            .orElseThrow();
  }

  Chapter chapter() {
    String limits =
        played.results().stream().map(result -> Span.rate(result.candidate())).distinct().count()
                == 1
            ? " The limit is " + Span.rate(played.results().get(0).candidate()) + "."
            : "";
    Chapter chapter = new Chapter(played.title(), played.description() + limits);
    findings.forEach(chapter::add);
    for (int i = 0; i < played.results().size(); i++) {
      Result result = played.results().get(i);
      result.tally().series().widenTo(slotUs);
      chapter.add(OverTime.figure(result, played.label(result), hue(i)));
    }
    chapter.add(most());
    if (played.results().stream().anyMatch(r -> r.tally().waits().getTotalCount() > 0)) {
      chapter.add(waits());
    }
    return chapter.add(summary()).add(waitTable()).add(shares()).add(mostDenied());
  }

  /* Several settings of one algorithm are told apart. */
  private Hue hue(int index) {
    String algorithm = played.results().get(index).candidate().algorithm();
    long same =
        played.results().stream().filter(r -> r.candidate().algorithm().equals(algorithm)).count();
    if (same > 1) {
      return HUES.get(index % HUES.size());
    }
    return usualHue(algorithm);
  }

  /** The colour that an algorithm has everywhere. */
  static Hue usualHue(String algorithm) {
    return switch (algorithm) {
      case "fixed-window" -> Hue.ORANGE;
      case "token-bucket" -> Hue.BLUE;
      default -> Hue.GREEN;
    };
  }

  private Figure most() {
    Bars bars =
        new Bars("The most that passed in any span of the limit's length", "units of one subject");
    for (Result result : played.results()) {
      for (Peak peak : result.tally().peaks()) {
        String name = barName(result, peak);
        bars.bar(name, "the limit", Hue.GREY, peak.allowance().units());
        bars.bar(name, "the most that passed", Hue.BLUE, peak.most());
      }
    }
    return bars.figure(
        "Exact: every span is tried, wherever it begins. A leaky bucket's call passes when its turn has come.");
  }

  private String barName(Result result, Peak peak) {
    boolean tiers = result.tally().peaks().size() > 1;
    return played.label(result) + (tiers ? ", " + Span.exact(peak.allowance().periodUs()) : "");
  }

  private Figure waits() {
    Bars bars = new Bars("How long denied callers are told to wait", "% of the denied");
    bars.numbers("#,##0.#");
    for (WaitClass each : WaitClass.among(played)) {
      for (int i = 0; i < played.results().size(); i++) {
        Tally tally = played.results().get(i).tally();
        if (each.percentOf(tally) > 0) {
          bars.bar(
              each.title(), played.label(played.results().get(i)), hue(i), each.percentOf(tally));
        }
      }
    }
    return bars.figure("");
  }

  private DataTable summary() {
    DataTable table =
        new DataTable(
            played.title() + ": what passed",
            1,
            "limit",
            "asked",
            "admitted",
            "denied",
            "denied, %",
            "length",
            "limit per length",
            "most in any length",
            "when (UTC)");
    for (Result result : played.results()) {
      Tally tally = result.tally();
      for (Peak peak : tally.peaks()) {
        table.row(
            result.candidate().name(),
            Say.count(tally.asked()),
            Say.count(tally.admitted()),
            Say.count(tally.denied()),
            Say.percent(tally.denied(), tally.asked()),
            Span.exact(peak.allowance().periodUs()),
            Say.count(peak.allowance().units()),
            (peak.exact() ? "" : "≤ ") + Say.count(peak.most()),
            tally.admitted() == 0 ? "" : LogText.time(peak.endUs()));
      }
    }
    return table;
  }

  private DataTable waitTable() {
    DataTable table =
        new DataTable(
            played.title() + ": waits",
            2,
            "limit",
            "who",
            "how many",
            "median",
            "90 %",
            "99 %",
            "longest");
    for (Result result : played.results()) {
      row(table, result, "denied, until the same call passes", result.tally().waits());
      if (result.tally().delays().getMaxValue() > 0) {
        row(table, result, "admitted, until its turn", result.tally().delays());
      }
    }
    return table;
  }

  private static void row(DataTable table, Result result, String who, Histogram waits) {
    if (waits.getTotalCount() > 0) {
      table.row(
          result.candidate().name(),
          who,
          Say.count(waits.getTotalCount()),
          Span.rounded(waits.getValueAtPercentile(50)),
          Span.rounded(waits.getValueAtPercentile(90)),
          Span.rounded(waits.getValueAtPercentile(99)),
          Span.rounded(waits.getMaxValue()));
    }
  }

  private DataTable shares() {
    DataTable table =
        new DataTable(
            played.title() + ": fairness",
            1,
            "limit",
            "subjects",
            "ever denied",
            "ever denied, %",
            "Jain's index");
    if (played.results().stream().allMatch(r -> r.tally().shares().subjects() < 2)) {
      return table;
    }
    for (Result result : played.results()) {
      Shares shares = result.tally().shares();
      table.row(
          result.candidate().name(),
          Say.count(shares.subjects()),
          Say.count(shares.everDenied()),
          Say.percent(shares.everDenied(), shares.subjects()),
          String.format(Locale.ROOT, "%.4f", shares.jainsIndex()));
    }
    return table.note(
        "Jain's index (Jain, Chiu, Hawe, DEC-TR-301, 1984) of the parts of their requests that subjects got admitted: 1"
            + " if everybody got the same part.");
  }

  private DataTable mostDenied() {
    DataTable table =
        new DataTable(
            played.title() + ": most denied",
            2,
            "limit",
            "subject",
            "asked",
            "denied",
            "denied, %");
    for (Result result : played.results()) {
      if (result.tally().shares().subjects() > 1) {
        for (Share share : result.tally().shares().mostDenied(MOST_DENIED)) {
          table.row(
              result.candidate().name(),
              Say.foreign(share.subject()),
              Say.count(share.asked()),
              Say.count(share.denied()),
              Say.percent(share.denied(), share.asked()));
        }
      }
    }
    return table;
  }
}
