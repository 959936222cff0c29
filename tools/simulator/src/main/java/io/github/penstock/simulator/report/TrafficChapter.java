package io.github.penstock.simulator.report;

import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.TimeSeries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The chapter on one piece of traffic: the effect of each limit on it. */
final class TrafficChapter {
  /** The colour of the most that passed, and of nothing else. */
  static final SeriesColor MOST = SeriesColor.RED;

  private static final int FEW_SLOTS = 8;
  private static final int MANY_SLOTS = 40;
  private final ReplayResult all;
  private final ReplayResult played;
  private final List<ReportFinding> findings;
  private final List<LimitResult> results;
  private final List<SeriesColor> colors;

  /**
   * On traffic.
   *
   * @param drawn the limits in the pictures; the tables have all
   */
  TrafficChapter(ReplayResult all, List<LimitResult> drawn, List<ReportFinding> findings) {
    this.all = all;
    this.played = all.of(drawn);
    this.findings = findings;
    this.results = played.results();
    this.colors = colors(results.stream().map(each -> each.candidate().limit().kind()).toList());
  }

  /*
   * The widest slot of all. Where a limit's period has only a few of them, a window's ups and downs would be a solid
   * band, so a slot is then a whole period, if enough of those remain.
   */
  private long slotUs() {
    List<TimeSeries> series = results.stream().map(each -> each.stats().series()).toList();
    long widestUs = series.stream().mapToLong(TimeSeries::widthUs).max().orElse(0);
    long spanUs = series.stream().mapToLong(s -> s.size() * s.widthUs()).max().orElse(0);
    return results.stream()
        .flatMap(each -> each.candidate().limit().tiers().stream())
        .mapToLong(LimitTier::periodMicros)
        .filter(us -> us < FEW_SLOTS * widestUs && spanUs >= MANY_SLOTS * us)
        .reduce(widestUs, Math::max);
  }

  ReportChapter chapter() {
    List<String> rates = results.stream().map(each -> each.candidate().rate()).distinct().toList();
    String limit = rates.size() == 1 ? " The limit is " + rates.get(0) + "." : "";
    ReportChapter chapter = new ReportChapter(played.title(), played.description() + limit);
    findings.forEach(chapter::add);
    long slotUs = slotUs();
    results.forEach(each -> each.stats().series().widenTo(slotUs));
    TrafficChart chart = new TrafficChart(played);
    if (results.stream().anyMatch(each -> each.stats().denied() > 0)) {
      chapter.add(chart.denied(played, colors));
    }
    for (int i = 0; i < results.size(); i++) {
      chapter.add(chart.figure(results.get(i), played.label(results.get(i)), colors.get(i)));
    }
    chapter.add(LimitTables.summary(all, false));
    if (results.get(0).leasing() != null) {
      chapter.add(ReportFinding.note(LimitTables.leaseSentence(all)));
      chapter.add(LimitTables.leasing(all, false));
    }
    if (results.get(0).stats().shares().subjects() > 1) {
      chapter.add(LimitTables.mostDenied(all));
    }
    return chapter;
  }

  /**
   * A colour for each of these: the first of an algorithm has the one that it has everywhere, more
   * settings of it have others, all different as long as there are some.
   */
  static List<SeriesColor> colors(List<LimitKind> kinds) {
    List<SeriesColor> known = Arrays.stream(LimitKind.values()).map(TrafficChapter::color).toList();
    List<SeriesColor> others = new ArrayList<>(Arrays.asList(SeriesColor.values()));
    others.remove(SeriesColor.GREY);
    kinds.forEach(kind -> others.remove(color(kind)));
    others.sort(
        Comparator.comparing((SeriesColor each) -> each == MOST).thenComparing(known::contains));
    List<SeriesColor> colors = new ArrayList<>();
    int more = 0;
    for (int i = 0; i < kinds.size(); i++) {
      boolean first = kinds.indexOf(kinds.get(i)) == i;
      colors.add(first ? color(kinds.get(i)) : others.get(more++ % others.size()));
    }
    return colors;
  }

  private static SeriesColor color(LimitKind kind) {
    return SeriesColor.ofKind(kind.ordinal());
  }
}
