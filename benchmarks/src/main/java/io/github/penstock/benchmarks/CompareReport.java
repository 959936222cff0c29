package io.github.penstock.benchmarks;

import io.github.penstock.scripts.LuaScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** What {@code compare} prints, line by line, at most {@value #WIDTH} columns wide. */
final class CompareReport {
  static final int WIDTH = 100;
  private static final String INDENT = "  ";

  private CompareReport() {}

  /** What each script let through, second by second, and why. */
  static List<String> traffic(Scenario scenario, Map<LuaScript, Passage> passages, long windowUs) {
    Traffic traffic = scenario.traffic();
    int seconds =
        passages.values().stream()
            .mapToInt(Passage::seconds)
            .reduce(traffic.requestsPerSecond().size(), Math::max);
    Table table = new Table(1).row(header(seconds, windowUs)).row(asked(traffic, seconds));
    passages.forEach((script, passage) -> table.row(passed(script, passage, seconds, windowUs)));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    passages.forEach(
        (script, passage) ->
            lines.addAll(wrap(script.scriptName() + ": " + scenario.why(script, passage))));
    return lines;
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
                number(script.readableSource().length()),
                number(script.source().length()),
                micros(cost.allowedUs()),
                micros(cost.deniedUs()),
                number(cost.bytesPerKey())));
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

  private static List<String> header(int seconds, long windowUs) {
    List<String> cells = new ArrayList<>(List.of("second"));
    IntStream.rangeClosed(1, seconds).mapToObj(CompareReport::number).forEach(cells::add);
    cells.addAll(List.of("passed", "denied", "most in any " + windowUs / Traffic.SECOND_US + " s"));
    return cells;
  }

  private static List<String> asked(Traffic traffic, int seconds) {
    List<Integer> requests = traffic.requestsPerSecond();
    List<String> cells = new ArrayList<>(List.of("asked for"));
    IntStream.range(0, seconds)
        .mapToObj(second -> second < requests.size() ? number(requests.get(second)) : "")
        .forEach(cells::add);
    cells.addAll(List.of("(" + number(traffic.total()) + ")", "", ""));
    return cells;
  }

  private static List<String> passed(
      LuaScript script, Passage passage, int seconds, long windowUs) {
    List<String> cells = new ArrayList<>(List.of(script.scriptName()));
    IntStream.range(0, seconds).mapToObj(second -> number(passage.in(second))).forEach(cells::add);
    cells.add(number(passage.admitted()));
    cells.add(number(passage.denied()));
    cells.add(number(passage.mostInAny(windowUs)));
    return cells;
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
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
