package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.Table;
import io.github.penstock.benchmarks.compare.Played.Result;
import io.github.penstock.benchmarks.compare.Series.Kind;
import io.github.penstock.scripts.LuaScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** What {@code compare} prints, line by line, at most {@value #WIDTH} columns wide. */
final class CompareText {
  static final int WIDTH = 100;
  private static final String INDENT = "  ";
  private static final int LONGEST_NAME = 20;
  private static final double MEDIAN = 50;
  private static final double NEARLY_ALL = 99;

  private CompareText() {}

  /**
   * What each limit let through of a short traffic of one client, second by second.
   *
   * @param asking how many seconds the traffic lasts
   */
  static List<String> seconds(Played played, int asking) {
    int seconds =
        played.results().stream().mapToInt(result -> seconds(result.tally())).max().orElse(0);
    Tally any = played.results().get(0).tally();
    String length =
        Span.exact(played.results().get(0).tally().peaks().get(0).allowance().periodUs());
    List<String> header = new ArrayList<>(List.of("second"));
    IntStream.rangeClosed(1, seconds).mapToObj(Say::count).forEach(header::add);
    header.addAll(List.of("passed", "denied", "most in any " + length));
    List<String> asked = new ArrayList<>(List.of("asked for"));
    IntStream.range(0, seconds)
        .mapToObj(second -> second < asking ? asked(any, second) : "")
        .forEach(asked::add);
    asked.addAll(List.of("(" + Say.count(any.asked()) + ")", "", ""));
    Table table = new Table(1).row(header).row(asked);
    played.results().forEach(result -> table.row(passed(result, seconds)));
    return table.lines();
  }

  private static int seconds(Tally tally) {
    Series series = tally.series();
    return (int) ((series.size() * series.widthUs() + 999_999) / 1_000_000);
  }

  private static String asked(Tally tally, int second) {
    return Say.count(tally.series().inSecond(Kind.ASKED, second));
  }

  private static List<String> passed(Result result, int seconds) {
    Tally tally = result.tally();
    List<String> cells = new ArrayList<>(List.of(result.candidate().algorithm()));
    IntStream.range(0, seconds)
        .mapToObj(second -> Say.count(tally.series().inSecond(Kind.PASSED, second)))
        .forEach(cells::add);
    cells.add(Say.count(tally.admitted()));
    cells.add(Say.count(tally.denied()));
    cells.add(Say.count(tally.peaks().get(0).most()));
    return cells;
  }

  /**
   * A line for each limit: what passed, the most at once, the waits, the shares. Limits of long
   * names are numbered, and named before the table.
   *
   * @param rateIsKnown whether the algorithms' names are enough
   */
  static List<String> summary(Played played, boolean rateIsKnown) {
    List<String> names =
        played.results().stream()
            .map(Result::candidate)
            .map(limit -> rateIsKnown ? limit.algorithm() : limit.name())
            .toList();
    boolean numbered = names.stream().anyMatch(name -> name.length() > LONGEST_NAME);
    List<String> lines = new ArrayList<>();
    Table table =
        new Table(1)
            .row("", "asked", "denied", "", "most in any", "", "told to wait", "", "subjects")
            .row("limit", "", "", "", "length", "limit", "median", "99 %", "denied");
    for (int i = 0; i < names.size(); i++) {
      if (numbered) {
        lines.add(INDENT + (i + 1) + "  " + names.get(i));
      }
      rows(table, played.results().get(i), numbered ? String.valueOf(i + 1) : names.get(i));
    }
    if (numbered) {
      lines.add("");
    }
    lines.addAll(table.lines());
    return lines;
  }

  private static void rows(Table table, Result result, String name) {
    Tally tally = result.tally();
    List<String> beginning =
        List.of(
            name,
            Say.count(tally.asked()),
            Say.count(tally.denied()),
            Say.percent(tally.denied(), tally.asked()));
    List<String> end =
        List.of(
            wait(tally, MEDIAN),
            wait(tally, NEARLY_ALL),
            Say.count(tally.shares().everDenied()) + " of " + Say.count(tally.shares().subjects()));
    for (Peak peak : tally.peaks()) {
      boolean isFirst = peak == tally.peaks().get(0);
      List<String> cells = new ArrayList<>(isFirst ? beginning : List.of("", "", "", ""));
      cells.add(
          (peak.exact() ? "" : "up to ")
              + Say.count(peak.most())
              + " in "
              + Span.exact(peak.allowance().periodUs()));
      cells.add(Say.count(peak.allowance().units()));
      cells.addAll(isFirst ? end : List.of("", "", ""));
      table.row(cells);
    }
  }

  private static String wait(Tally tally, double percentile) {
    return tally.waits().count() == 0 ? "-" : Span.rounded(tally.waits().percentile(percentile));
  }

  /** What each script is and costs. */
  static List<String> scripts(Map<LuaScript, Cost> costs, int bytesOfName) {
    Table table =
        new Table(2).row("script", "SHA1", "source", "shipped", "allowed", "denied", "key");
    costs.forEach(
        (script, cost) ->
            table.row(
                script.scriptName(),
                script.sha1(),
                Say.count(script.readableSource().length()),
                Say.count(script.source().length()),
                micros(cost.allowedUs()),
                micros(cost.deniedUs()),
                Say.count(cost.bytesPerKey())));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.addAll(
        wrap(
            "source, shipped: bytes of the script as it is read and as it is sent. allowed, denied: the server's own"
                + " count of time per decision. key: bytes of memory of one key, "
                + bytesOfName
                + " of them its name. More: ./penstock script-cost"));
    return lines;
  }

  /** Breaks a text between words; the lines after the first are indented further. */
  static List<String> wrap(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(INDENT);
    String separator = "";
    for (String word : text.split(" ")) {
      if (line.length() + separator.length() + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(INDENT + INDENT);
        separator = "";
      }
      line.append(separator).append(word);
      separator = " ";
    }
    lines.add(line.toString());
    return lines;
  }

  private static String micros(double value) {
    return String.format(Locale.ROOT, "%.1f µs", value);
  }

  /**
   * Microseconds of server time for an allowed and for a denied call, and bytes of memory for a
   * key.
   */
  record Cost(double allowedUs, double deniedUs, long bytesPerKey) {}
}
