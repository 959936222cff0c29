package io.github.penstock.simulator.report;

import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.chart.ThresholdChart;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.advice.DemandProfile;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.TrafficComparison.LogPlayed;
import java.util.SortedSet;
import java.util.TreeSet;

/** The subjects of a log by their busiest span, and the effect of a number on them. */
final class DemandChart {
  private static final double PERCENT = 100;
  private static final double STEP = 1.15;
  private static final int EXACT = 20;
  private final DemandProfile demand;
  private final ReplayResult played;
  private final String per;

  private DemandChart(LogPlayed log) {
    demand = log.demand();
    played = log.played();
    per = NumberText.per(demand.periodUs());
  }

  /** The chapter that has only this chart. */
  static ReportChapter chapter(LogPlayed log) {
    DemandChart chart = new DemandChart(log);
    ThresholdChart drawn =
        new ThresholdChart(
            "Subjects by their busiest " + chart.per,
            "of the subjects, from the quietest",
            played(log) + " in the busiest " + chart.per);
    for (int percent = 0; percent <= PERCENT; percent++) {
      drawn.point(percent, chart.demand.quantileOfAll(percent / PERCENT));
    }
    DemandText text = new DemandText(log);
    boolean advised = text.whyNoNumber().isEmpty();
    for (long number : chart.numbers()) {
      drawn.threshold(number, chart.text(number), advised && number == chart.demand.number());
    }
    return new ReportChapter("Who asks for how much", text.quantiles())
        .add(
            drawn.figure(
                "The line is a limit of that many per "
                    + chart.per
                    + ", as a window of the clock: who stands above it is denied something."));
  }

  private static String played(LogPlayed log) {
    return log.played().units();
  }

  private SortedSet<Long> numbers() {
    SortedSet<Long> numbers = new TreeSet<>();
    numbers.add(demand.number());
    for (double number = 1; number < STEP * demand.quantileOfAll(1); number *= STEP) {
      long whole = Math.round(number);
      long step = (long) Math.pow(10, Math.max(0, Math.floor(Math.log10(whole)) - 1));
      numbers.add(whole <= EXACT ? whole : whole / step * step);
    }
    return numbers;
  }

  private String text(long number) {
    double above = demand.above(number);
    return "%s per %s: denies something to %s of %s subjects, %s of the %s in all; one subject can pass at most %s."
        .formatted(
            NumberText.count(number),
            per,
            played.whole(Math.round(above)),
            played.whole(Math.round(demand.subjects())),
            NumberText.percent(Math.round(demand.denied(number) * 1e6), 1_000_000),
            played.units(),
            NumberText.count(2 * number));
  }
}
