package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Candidate.Allowance;
import io.github.penstock.benchmarks.compare.Played.Result;
import io.github.penstock.benchmarks.report.Bars;
import io.github.penstock.benchmarks.report.Chapter;
import io.github.penstock.benchmarks.report.Figure;
import io.github.penstock.benchmarks.report.Finding;
import io.github.penstock.benchmarks.report.Hue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** One traffic in the report: what each limit made of it. */
final class TrafficChapter {
  private static final List<Hue> MORE_HUES =
      List.of(Hue.PURPLE, Hue.RED, Hue.TEAL, Hue.PINK, Hue.BROWN);
  private static final int FEW_SLOTS = 8;
  private static final int MANY_SLOTS = 40;
  private final Played played;
  private final List<Finding> findings;
  private final long slotUs;
  private final List<Hue> hues;

  TrafficChapter(Played played, List<Finding> findings) {
    this.played = played;
    this.findings = findings;
    this.slotUs = slotUs(played);
    this.hues = hues(played.results().stream().map(r -> r.candidate().algorithm()).toList());
  }

  /*
   * The widest slot of all. Where a limit's period has only a few of them, a window's ups and downs would be a solid
   * band, so a slot is then a whole period, if enough of those remain.
   */
  private static long slotUs(Played played) {
    long widestUs = 0;
    long spanUs = 0;
    for (Result result : played.results()) {
      Series series = result.tally().series();
      widestUs = Math.max(widestUs, series.widthUs());
      spanUs = Math.max(spanUs, series.size() * series.widthUs());
    }
    long slotUs = widestUs;
    for (Result result : played.results()) {
      for (Allowance tier : result.candidate().allowances()) {
        long periodUs = tier.periodUs();
        if (periodUs < FEW_SLOTS * widestUs && spanUs >= MANY_SLOTS * periodUs) {
          slotUs = Math.max(slotUs, periodUs);
        }
      }
    }
    return slotUs;
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
      chapter.add(OverTime.figure(result, played.label(result), hues.get(i)));
    }
    chapter.add(most());
    if (played.results().stream().anyMatch(r -> r.tally().waits().count() > 0)) {
      chapter.add(waits());
    }
    return new TrafficTables(played).addTo(chapter);
  }

  /**
   * A colour for each of these: the first of an algorithm has the one that it has everywhere, more
   * settings of it have others, all different as long as there are some.
   */
  static List<Hue> hues(List<String> algorithms) {
    List<Hue> others = new ArrayList<>(MORE_HUES);
    Stream.of("token-bucket", "leaky-bucket", "fixed-window")
        .filter(name -> !algorithms.contains(name))
        .map(TrafficChapter::usualHue)
        .forEach(others::add);
    List<Hue> hues = new ArrayList<>();
    int more = 0;
    for (int i = 0; i < algorithms.size(); i++) {
      boolean first = algorithms.indexOf(algorithms.get(i)) == i;
      hues.add(first ? usualHue(algorithms.get(i)) : others.get(more++ % others.size()));
    }
    return hues;
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
    for (int i = 0; i < played.results().size(); i++) {
      if (played.results().get(i).tally().waits().count() > 0) {
        bars.series(played.label(played.results().get(i)), hues.get(i));
      }
    }
    for (WaitClass each : WaitClass.among(played)) {
      for (int i = 0; i < played.results().size(); i++) {
        Tally tally = played.results().get(i).tally();
        if (each.percentOf(tally) > 0) {
          bars.bar(
              each.title(),
              played.label(played.results().get(i)),
              hues.get(i),
              each.percentOf(tally));
        }
      }
    }
    return bars.figure("");
  }
}
