package io.github.penstock.simulator.report;

import io.github.penstock.report.DataTable;
import io.github.penstock.report.console.TextTable;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.stats.TimeSeries;
import io.github.penstock.simulator.stats.TimeSeries.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The tables that {@code compare} prints, line by line. */
public final class CompareText {
  private static final int LONGEST_NAME = 20;
  private static final List<List<String>> HEADER =
      List.of(
          List.of("", "", "subjects", "", "it can", "wait,", "requests", "wait,", "put off,"),
          List.of(
              "limit",
              "denied",
              "denied",
              "one subject",
              "pass",
              "99 %",
              "denied",
              "median",
              "99 %"));
  private static final List<String> PAGE_HEADER =
      List.of(
          "limit",
          "denied",
          "subjects denied",
          "",
          "it can pass",
          "told to wait (99 %)",
          "requests denied",
          "told to wait (median)",
          "admitted, but put off (99 %)");
  /* Columns that a narrow terminal can do without. */
  private static final Integer[] OPTIONAL = {7, 6, 8};
  private static final int MOST = 3;
  private static final int PUT_OFF = 8;

  private CompareText() {}

  /** Who made so many decisions: the model, and the scripts about some or all. */
  public static String decisions(long made, long checked) {
    String all = NumberText.count(made, "decision");
    if (checked == 0 && made > 0) {
      return all + " of the exact model. The scripts made none of them: choose a larger --check.";
    }
    return made == checked
        ? all + ", all equal to the exact model."
        : all
            + " of the exact model. Of these the scripts made "
            + NumberText.count(checked)
            + ", too, all equal to it.";
  }

  /**
   * The requests that each limit let through of a short traffic of one client, second by second.
   *
   * @param asking how many seconds the traffic lasts
   */
  public static List<String> seconds(ReplayResult played, int asking) {
    List<LimitResult> results = played.results();
    int seconds = results.stream().mapToInt(each -> seconds(each.stats())).max().orElse(0);
    ReplayStats any = results.get(0).stats();
    String length = NumberText.exactTime(any.peaks().get(0).tier().periodMicros());
    TextTable table =
        new TextTable(1)
            .optional(seconds + 2)
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
   * A line for each limit: what was denied to how many, the most at once, the waits. Limits of long
   * names are numbered, and named before the table.
   *
   * @param rateIsKnown whether the algorithms' names are enough
   */
  public static List<String> summary(ReplayResult played, boolean rateIsKnown) {
    List<String> names = names(played, rateIsKnown);
    boolean numbered = isNumbered(names);
    List<String> lines = new ArrayList<>();
    int columns = columns(played);
    TextTable table = new TextTable(1).optional(OPTIONAL);
    List<String> above = new ArrayList<>(HEADER.get(0));
    above.set(MOST, "most " + played.units() + " of");
    table.row(above.subList(0, columns)).row(HEADER.get(1).subList(0, columns));
    for (int i = 0; i < names.size(); i++) {
      if (numbered) {
        lines.add("  " + (i + 1) + "  " + names.get(i));
      }
      cells(played, played.results().get(i), numbered ? "" + (i + 1) : names.get(i))
          .forEach(row -> table.row(row.subList(0, columns)));
    }
    if (numbered) {
      lines.add("");
    }
    lines.addAll(table.lines());
    return lines;
  }

  /**
   * A line for each limit: what processes that lease made of it. Limits that {@link #summary}
   * numbers have its numbers here.
   */
  public static List<String> leasing(ReplayResult played, boolean rateIsKnown) {
    List<String> names = names(played, rateIsKnown);
    return LeaseText.lines(
        played,
        isNumbered(names)
            ? IntStream.rangeClosed(1, names.size()).mapToObj(String::valueOf).toList()
            : names);
  }

  private static List<String> names(ReplayResult played, boolean rateIsKnown) {
    return played.results().stream()
        .map(LimitResult::candidate)
        .map(limit -> rateIsKnown ? limit.algorithm() : limit.name())
        .toList();
  }

  private static boolean isNumbered(List<String> names) {
    return names.stream().anyMatch(name -> name.length() > LONGEST_NAME);
  }

  /** The same for a page, by the limits' whole names. */
  static DataTable table(ReplayResult played) {
    int columns = columns(played);
    List<String> header = new ArrayList<>(PAGE_HEADER.subList(0, columns));
    header.set(MOST, "most " + played.units() + " of one subject");
    DataTable table =
        new DataTable("What each limit would have done", 1, header.toArray(String[]::new));
    for (LimitResult each : played.results()) {
      cells(played, each, each.candidate().name())
          .forEach(row -> table.row(row.subList(0, columns)));
    }
    return table;
  }

  /* The last column is for limits that put off what they admit. */
  private static int columns(ReplayResult played) {
    return played.results().stream().anyMatch(each -> each.stats().longDelayUs() > 0)
        ? PUT_OFF + 1
        : PUT_OFF;
  }

  /* A row for each tier; all but the first have only what is the tier's own. */
  private static List<List<String>> cells(ReplayResult played, LimitResult result, String name) {
    ReplayStats stats = result.stats();
    List<List<String>> rows = new ArrayList<>();
    for (PeakUsage peak : stats.peaks()) {
      String length = NumberText.exactTime(peak.tier().periodMicros());
      String most =
          (peak.exact() ? "" : "up to ") + NumberText.count(peak.most()) + " in " + length;
      String limit = NumberText.count(result.atMost(peak));
      rows.add(
          rows.isEmpty()
              ? List.of(
                  name,
                  NumberText.percent(stats.denied(), stats.asked()),
                  played.whole(stats.shares().everDenied())
                      + " of "
                      + stats.shares().subjectsText(played::whole),
                  most,
                  limit,
                  wait(stats, stats.longWaitUs()),
                  played.whole(stats.denied()),
                  wait(stats, stats.medianWaitUs()),
                  stats.longDelayUs() > 0 ? NumberText.time(stats.longDelayUs()) : "-")
              : List.of("", "", "", most, limit, "", "", "", ""));
    }
    return rows;
  }

  /** A wait of denied callers, for a cell. */
  static String wait(ReplayStats stats, long waitUs) {
    return stats.denied() == 0
        ? "-"
        : waitUs == ReplayStats.FOR_EVER ? "for ever" : NumberText.time(waitUs);
  }
}
