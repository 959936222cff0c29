package io.github.penstock.simulator.report;

import io.github.penstock.report.console.TextTable;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.stats.TimeSeries;
import io.github.penstock.simulator.stats.TimeSeries.Kind;
import io.github.penstock.simulator.stats.WaitHistogram;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The tables that {@code compare} prints, line by line. */
public final class CompareText {
  private static final int LONGEST_NAME = 20;
  private static final double MEDIAN = 50;
  private static final double NEARLY_ALL = 99;

  private CompareText() {}

  /**
   * The requests that each limit let through of a short traffic of one client, second by second.
   *
   * @param asking how many seconds the traffic lasts
   */
  public static List<String> seconds(ReplayResult played, int asking) {
    List<LimitResult> results = played.results();
    int seconds = results.stream().mapToInt(each -> seconds(each.stats())).max().orElse(0);
    ReplayStats any = results.get(0).stats();
    String length = NumberText.exactTime(any.peaks().get(0).allowance().periodUs());
    TextTable table =
        new TextTable(1)
            .row(
                row(
                    "second",
                    IntStream.rangeClosed(1, seconds).mapToObj(NumberText::count),
                    "passed",
                    "denied",
                    "most in any " + length))
            .row(
                row(
                    "asked for",
                    IntStream.range(0, seconds)
                        .mapToObj(i -> i < asking ? units(any, Kind.ASKED, i) : ""),
                    "(" + NumberText.count(any.asked()) + ")",
                    "",
                    ""));
    for (LimitResult each : results) {
      ReplayStats stats = each.stats();
      table.row(
          row(
              each.candidate().algorithm(),
              IntStream.range(0, seconds).mapToObj(i -> units(stats, Kind.PASSED, i)),
              NumberText.count(stats.admitted()),
              NumberText.count(stats.denied()),
              NumberText.count(stats.peaks().get(0).most())));
    }
    return table.lines();
  }

  private static List<String> row(String name, Stream<String> seconds, String... end) {
    return Stream.of(Stream.of(name), seconds, Stream.of(end)).flatMap(cells -> cells).toList();
  }

  private static int seconds(ReplayStats stats) {
    TimeSeries series = stats.series();
    return (int) Math.ceil(series.size() * series.widthUs() / 1e6);
  }

  private static String units(ReplayStats stats, Kind kind, int second) {
    return NumberText.count(stats.series().inSecond(kind, second));
  }

  /**
   * A line for each limit: what passed, the most at once, the waits, the shares. Limits of long
   * names are numbered, and named before the table.
   *
   * @param rateIsKnown whether the algorithms' names are enough
   */
  public static List<String> summary(ReplayResult played, boolean rateIsKnown) {
    List<String> names =
        played.results().stream()
            .map(LimitResult::candidate)
            .map(limit -> rateIsKnown ? limit.algorithm() : limit.name())
            .toList();
    boolean numbered = names.stream().anyMatch(name -> name.length() > LONGEST_NAME);
    List<String> lines = new ArrayList<>();
    TextTable table =
        new TextTable(1)
            .row("", "asked", "denied", "", "most in any", "", "told to wait", "", "subjects")
            .row("limit", "", "", "", "length", "limit", "median", "99 %", "denied");
    for (int i = 0; i < names.size(); i++) {
      if (numbered) {
        lines.add("  " + (i + 1) + "  " + names.get(i));
      }
      rows(table, played.results().get(i).stats(), numbered ? "" + (i + 1) : names.get(i));
    }
    if (numbered) {
      lines.add("");
    }
    lines.addAll(table.lines());
    return lines;
  }

  private static void rows(TextTable table, ReplayStats stats, String name) {
    WaitHistogram waits = stats.waits();
    boolean waited = waits.count() > 0;
    for (PeakUsage peak : stats.peaks()) {
      boolean isFirst = peak == stats.peaks().get(0);
      String most = (peak.exact() ? "" : "up to ") + NumberText.count(peak.most());
      List<String> cells =
          List.of(
              name,
              NumberText.count(stats.asked()),
              NumberText.count(stats.denied()),
              NumberText.percent(stats.denied(), stats.asked()),
              most + " in " + NumberText.exactTime(peak.allowance().periodUs()),
              NumberText.count(peak.allowance().units()),
              waited ? NumberText.time(waits.percentile(MEDIAN)) : "-",
              waited ? NumberText.time(waits.percentile(NEARLY_ALL)) : "-",
              NumberText.count(stats.shares().everDenied())
                  + " of "
                  + NumberText.count(stats.shares().subjects()));
      table.row(isFirst ? cells : List.of("", "", "", "", cells.get(4), cells.get(5), "", "", ""));
    }
  }
}
