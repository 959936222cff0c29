package io.github.penstock.simulator.report;

import io.github.penstock.core.DecisionSource;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.chart.BarChart;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.LeaseStats;
import io.github.penstock.simulator.stats.PeakUsage;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;

/** The chapter on processes that lease, given one traffic. */
final class LeaseChapter {
  /** The colours of who answers: a trip, a denial that is remembered, a lease. */
  static final SeriesColor TRIP = SeriesColor.GREY;

  static final SeriesColor REMEMBERED = SeriesColor.PINK;
  static final SeriesColor LEASED = SeriesColor.TEAL;
  private static final double PERCENT = 100;
  private final ReplayResult played;

  /** For traffic that was played beside such processes. */
  LeaseChapter(ReplayResult played) {
    this.played = played;
  }

  ReportChapter chapter() {
    LeaseStats any = leasing(played.results().get(0));
    ReportChapter chapter =
        new ReportChapter(
            played.title() + ": " + any.settings(),
            "Each request goes to one of the processes at random, as behind a load balancer. Each"
                + " process remembers denials for up to 100 ms, as clients do, and no trip takes"
                + " time here. Beside them, one limiter asks each time about the same requests.");
    chapter.add(ReportFinding.note(LimitTables.leaseSentence(played)));
    chapter.add(trips().figure(differences()));
    BarChart most = most();
    if (!most.isEmpty()) {
      chapter.add(
          most.figure(
              "Every span is tried, wherever it begins. A window never admits more than its limit;"
                  + " a token bucket may pass what it gains in the life of a lease on top."));
    }
    return chapter.add(LimitTables.leasing(played, false));
  }

  private BarChart trips() {
    BarChart bars = new BarChart("Who answered", "% of the requests").numbers("#,##0.#");
    for (LimitResult each : played.results()) {
      LeaseStats leasing = leasing(each);
      String name = played.label(each) + (leasing.leases() ? "" : ", " + LimitTables.ASKS);
      bars.bar(name, "the server", TRIP, percent(leasing, DecisionSource.SERVER));
      bars.bar(
          name, "a remembered denial", REMEMBERED, percent(leasing, DecisionSource.REMEMBERED));
      if (leasing.leases()) {
        bars.bar(name, "a lease", LEASED, percent(leasing, DecisionSource.LEASED));
      }
    }
    return bars;
  }

  private String differences() {
    return "Denied, though asking admits: "
        + each(LeaseStats::deniedWrongly)
        + ". Admitted, though asking denies: "
        + each(LeaseStats::admittedMore)
        + ".";
  }

  private String each(ToLongFunction<LeaseStats> requests) {
    List<String> some =
        played.results().stream()
            .filter(result -> leasing(result).leases())
            .map(
                result ->
                    played.label(result)
                        + " "
                        + NumberText.count(requests.applyAsLong(leasing(result))))
            .toList();
    return some.isEmpty() ? "none" : String.join(", ", some);
  }

  private BarChart most() {
    BarChart bars =
        new BarChart(
            "The most that passed of one subject, in any span of the limit's length",
            played.units() + " of one subject");
    for (LimitResult each : played.results()) {
      LeaseStats leasing = leasing(each);
      if (leasing.leases()) {
        String name = played.label(each);
        PeakUsage peak = leasing.stats().peaks().get(0);
        bars.bar(name, "it can pass, leasing", SeriesColor.GREY, each.atMostLeasing(leasing, peak));
        bars.bar(
            name,
            "passed, asking each time",
            TrafficChapter.MOST,
            each.stats().peaks().get(0).most());
        bars.bar(name, "passed, leasing", LEASED, peak.most());
      }
    }
    return bars;
  }

  private static LeaseStats leasing(LimitResult result) {
    return Objects.requireNonNull(result.leasing());
  }

  /** The part of the requests that were answered so, in percent. */
  static double percent(LeaseStats leasing, DecisionSource source) {
    long asked = leasing.stats().asked();
    return asked == 0 ? 0 : PERCENT * leasing.requests(source) / asked;
  }
}
