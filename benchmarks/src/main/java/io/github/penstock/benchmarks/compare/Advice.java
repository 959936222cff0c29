package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Played.Result;
import io.github.penstock.benchmarks.compare.Shares.Share;
import io.github.penstock.benchmarks.report.Finding;
import io.github.penstock.benchmarks.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Sentences of plain advice that follow from what was played, whatever the traffic. */
final class Advice {
  private static final double NOTABLE = 1.2;
  private static final double MEDIAN = 50;
  private static final double NEARLY_ALL = 99;

  private Advice() {}

  /** What a reader should take from it. */
  static List<Finding> of(Played played) {
    List<Finding> findings = new ArrayList<>();
    if (played.results().stream().allMatch(result -> result.tally().denied() == 0)) {
      findings.add(Finding.note("None of the limits denied anything of this traffic."));
    }
    played.results().forEach(result -> bursts(played.label(result), result, findings));
    waits(played, findings);
    played.results().forEach(result -> delays(played.label(result), result, findings));
    subjects(played, findings);
    findings.addAll(never(played));
    return findings;
  }

  private static void bursts(String label, Result result, List<Finding> findings) {
    for (Peak peak : result.tally().peaks()) {
      double times = (double) peak.most() / peak.allowance().units();
      if (times < NOTABLE) {
        continue;
      }
      boolean window = result.candidate().algorithm().equals("fixed-window");
      findings.add(
          new Finding(
              window ? Verdict.CAUTION : Verdict.NOTE,
              String.format(
                  Locale.ROOT,
                  "%s let %s%s through in %s, %.2f times its limit%s",
                  label,
                  peak.exact() ? "" : "up to ",
                  Say.count(peak.most()),
                  Span.exact(peak.allowance().periodUs()),
                  times,
                  window
                      ? ", the end of one window and the beginning of the next: if what is behind it cannot take that,"
                          + " choose a bucket."
                      : ": a full bucket, and what it gained meanwhile; a smaller burst bounds it.")));
    }
  }

  private static void waits(Played played, List<Finding> findings) {
    List<String> parts = new ArrayList<>();
    for (Result result : played.results()) {
      Tally tally = result.tally();
      if (tally.waits().count() > 0) {
        parts.add(
            played.label(result)
                + " "
                + Span.rounded(tally.waits().percentile(MEDIAN))
                + " (99 %: "
                + Span.rounded(tally.waits().percentile(NEARLY_ALL))
                + ")");
      }
    }
    if (!parts.isEmpty()) {
      findings.add(
          Finding.note(
              "Half of the denied callers are told to wait no longer than: "
                  + String.join(", ", parts)
                  + "."));
    }
  }

  private static void delays(String label, Result result, List<Finding> findings) {
    Tally tally = result.tally();
    if (tally.delays().count() > 0 && tally.delays().longest() > 0) {
      findings.add(
          Finding.note(
              "%s spreads bursts: an admitted call waits for its turn, half of them %s, the longest %s; your callers' time-outs must allow that."
                  .formatted(label, half(tally), Span.rounded(tally.delays().longest()))));
    }
  }

  private static String half(Tally tally) {
    long medianUs = tally.delays().percentile(MEDIAN);
    return medianUs == 0 ? "not at all" : Span.rounded(medianUs) + " or less";
  }

  private static void subjects(Played played, List<Finding> findings) {
    List<String> parts = new ArrayList<>();
    for (Result result : played.results()) {
      Shares shares = result.tally().shares();
      if (shares.subjects() > 1 && shares.everDenied() > 0) {
        Share worst = shares.mostDenied(1).get(0);
        parts.add(
            "%s denied %s of %s subjects (%s), and %s of its denials hit %s"
                .formatted(
                    played.label(result),
                    Say.count(shares.everDenied()),
                    Say.count(shares.subjects()),
                    Say.percent(shares.everDenied(), shares.subjects()),
                    Say.percent(worst.denied(), result.tally().denied()),
                    Say.foreign(worst.subject())));
      }
    }
    if (!parts.isEmpty()) {
      findings.add(Finding.note("Who is denied: " + String.join("; ", parts) + "."));
    }
  }

  /** What can never pass, with what to do about it. */
  static List<Finding> never(Played played) {
    return played.results().stream()
        .filter(result -> result.tally().never() > 0)
        .map(result -> new Finding(Verdict.CAUTION, never(result)))
        .toList();
  }

  private static String never(Result result) {
    long requests = result.tally().never();
    boolean window = result.candidate().algorithm().equals("fixed-window");
    return "%s can never admit %s: %s. Raise its %s, or lower the cost."
        .formatted(
            result.candidate().name(),
            Say.count(requests) + " of these requests",
            (requests == 1 ? "it costs" : "each costs")
                + (window ? " more than a window allows" : " more than it holds"),
            window ? "limit" : "burst");
  }
}
