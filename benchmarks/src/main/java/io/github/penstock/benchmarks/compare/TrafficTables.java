package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Played.Result;
import io.github.penstock.benchmarks.compare.Shares.Share;
import io.github.penstock.benchmarks.report.Chapter;
import io.github.penstock.benchmarks.report.DataTable;
import java.util.Locale;

/** The tables of one traffic: what passed, the waits, who was denied. */
final class TrafficTables {
  private static final int MOST_DENIED = 10;
  private final Played played;

  TrafficTables(Played played) {
    this.played = played;
  }

  Chapter addTo(Chapter chapter) {
    return chapter.add(summary()).add(waitTable()).add(shares()).add(mostDenied());
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
      if (result.tally().delays().longest() > 0) {
        row(table, result, "admitted, until its turn", result.tally().delays());
      }
    }
    return table;
  }

  private static void row(DataTable table, Result result, String who, Waits waits) {
    if (waits.count() > 0) {
      table.row(
          result.candidate().name(),
          who,
          Say.count(waits.count()),
          Span.rounded(waits.percentile(50)),
          Span.rounded(waits.percentile(90)),
          Span.rounded(waits.percentile(99)),
          Span.rounded(waits.longest()));
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
