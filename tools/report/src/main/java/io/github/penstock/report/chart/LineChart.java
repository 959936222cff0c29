package io.github.penstock.report.chart;

import io.github.penstock.report.chart.AxisScale.Tick;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts over time, in slots that are equally wide: a line of steps for each series. Not safe for
 * use by several threads.
 */
public final class LineChart {
  private static final String NUMBERS = "#,##0";
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
  private static final double HEIGHT = 170;
  private static final int MOST_TICKS = 6;
  private final String title;
  private final String yAxis;
  private final @Nullable ZonedDateTime begin;
  private final double slotSeconds;
  private final List<Line> lines = new ArrayList<>();
  private double most;
  private double seconds;

  private record Line(String name, SeriesColor color, long[] counts) {
    /* Whether both have the same values as far as they reach, and 0 beyond. */
    boolean isCoveredBy(Line other) {
      int shorter = Math.min(counts.length, other.counts.length);
      return Arrays.equals(counts, 0, shorter, other.counts, 0, shorter)
          && Stream.of(counts, other.counts)
              .flatMapToLong(each -> Arrays.stream(each).skip(shorter))
              .allMatch(count -> count == 0);
    }
  }

  /**
   * An empty chart.
   *
   * @param yAxis what is counted, with its unit
   * @param begin when the first slot begins, for an axis that has the times of a clock; null for
   *     one that counts seconds, minutes or hours
   */
  public LineChart(String title, String yAxis, @Nullable ZonedDateTime begin, double slotSeconds) {
    this.title = title;
    this.yAxis = yAxis;
    this.begin = begin;
    this.slotSeconds = slotSeconds;
  }

  /** Makes the axes reach these values at least: charts of one reach share their axes. */
  public LineChart reach(double length, double count) {
    seconds = Math.max(seconds, length);
    most = Math.max(most, count);
    return this;
  }

  /** Adds a line with the counts of the slots, at least one. */
  public LineChart line(String name, SeriesColor color, long[] counts) {
    lines.add(new Line(name, color, counts.clone()));
    return reach(counts.length * slotSeconds, Arrays.stream(counts).max().orElseThrow());
  }

  public ReportFigure figure(String caption) {
    SvgWriter svg = new SvgWriter();
    Map<String, SeriesColor> legend = new LinkedHashMap<>();
    lines.forEach(line -> legend.put(legendName(line), line.color));
    double top = svg.legend(legend) + 2 * SvgWriter.MARGIN + SvgWriter.LINE;
    AxisScale y = AxisScale.fromZero(most, MOST_TICKS - 1, LineChart::number);
    double left =
        2 * SvgWriter.MARGIN
            + y.ticks().stream().mapToDouble(tick -> SvgWriter.width(tick.label())).max().orElse(0);
    String last = begin == null ? number(seconds) : "00:00:00";
    double right = SvgWriter.WIDTH - SvgWriter.MARGIN - SvgWriter.width(last) / 2;
    AxisScale x =
        begin == null
            ? AxisScale.clock(seconds, MOST_TICKS, each -> NumberText.of(each, "#,##0.###"))
            : AxisScale.timeOfDay(begin, seconds, MOST_TICKS - 1);
    Plot plot = new Plot(svg, x, y, left, right, top);
    plot.frame(begin == null ? "from the beginning" : "", yAxis);
    // The first line stays visible behind another of the same values.
    lines.forEach(
        line -> plot.steps(line, slotSeconds, lines.size() > 1 && line == lines.get(0) ? 4 : 2));
    tooltips(plot);
    double height = plot.bottom() + 2 * SvgWriter.LINE + SvgWriter.MARGIN;
    return new ReportFigure(title, caption, table(), svg.svg(height, description()));
  }

  /* A line that hides an earlier one says so; where the longer one ends in zeros, both look alike. */
  private String legendName(Line line) {
    return lines.subList(0, lines.indexOf(line)).stream()
        .filter(earlier -> earlier.isCoveredBy(line))
        .findFirst()
        .map(earlier -> line.name + ", same as " + earlier.name)
        .orElse(line.name);
  }

  private int slots() {
    return lines.stream().mapToInt(line -> line.counts.length).max().orElse(0);
  }

  private ResultTable<?> table() {
    ResultTable<Integer> table =
        new ResultTable<Integer>(title, IntStream.range(0, slots()).boxed().toList())
            .words("time", this::at);
    for (Line line : lines) {
      table.figure(
          line.name + ", " + yAxis,
          FigureKind.COUNT,
          slot -> slot < line.counts.length ? line.counts[slot] : null);
    }
    return table;
  }

  /* The counts of all lines are shown at every pointer position. */
  private void tooltips(Plot plot) {
    plot.svg.add("<g fill='none' pointer-events='all'>");
    for (int i = 0; i < slots(); i++) {
      int slot = i;
      String counts =
          lines.stream()
              .filter(line -> slot < line.counts.length)
              .map(line -> line.name + " " + number(line.counts[slot]))
              .collect(Collectors.joining(", "));
      double end = plot.x((slot + 1) * slotSeconds);
      plot.svg.add(
          "<path d='M%s %sV%sH%sV%sz'><title>%s</title></path>",
          plot.x(slot * slotSeconds),
          plot.top,
          plot.bottom(),
          end,
          plot.top,
          at(i) + ": " + counts);
    }
    plot.svg.add("</g>");
  }

  private String description() {
    return lines.stream()
        .map(line -> line.name + ": " + description(line.counts))
        .collect(Collectors.joining("; ", title + ". Lines: " + yAxis + ", by time. ", "."));
  }

  private String description(long[] counts) {
    int greatest =
        IntStream.range(0, counts.length).reduce(0, (a, b) -> counts[b] > counts[a] ? b : a);
    return "%s at first, at most %s, at %s, and %s at last"
        .formatted(
            number(counts[0]),
            number(counts[greatest]),
            at(greatest),
            number(counts[counts.length - 1]));
  }

  private String at(int slot) {
    double after = slot * slotSeconds;
    return begin == null
        ? NumberText.time(Math.round(after * 1e6))
        : TIME.format(begin.plusNanos(Math.round(after * 1e9)));
  }

  private static String number(double value) {
    return NumberText.of(value, NUMBERS);
  }

  /** Where the lines are drawn. */
  private record Plot(
      SvgWriter svg, AxisScale xScale, AxisScale yScale, double left, double right, double top) {
    double bottom() {
      return top + HEIGHT;
    }

    double x(double value) {
      return left + xScale.position(value) * (right - left);
    }

    double y(double value) {
      return bottom() - yScale.position(value) * HEIGHT;
    }

    void frame(String xAxis, String yAxis) {
      svg.text(SvgWriter.MARGIN, top - 2 * SvgWriter.MARGIN, "start", "muted", yAxis);
      for (Tick tick : yScale.ticks()) {
        double y = y(tick.value());
        svg.line(left, y, right, y);
        svg.text(left - SvgWriter.MARGIN, y + 4, "end", "muted", tick.label());
      }
      for (Tick tick : xScale.ticks()) {
        double x = x(tick.value());
        svg.line(x, bottom(), x, bottom() + 4);
        svg.text(x, bottom() + SvgWriter.LINE, "middle", "muted", tick.label());
      }
      String name = (xScale.unit() + " " + xAxis).strip();
      svg.text(right, bottom() + 2 * SvgWriter.LINE, "end", "muted", name);
    }

    void steps(Line line, double slotSeconds, int width) {
      StringBuilder path = new StringBuilder("M").append(SvgWriter.tenths(x(0))).append(' ');
      path.append(SvgWriter.tenths(y(line.counts[0])));
      for (int slot = 0; slot < line.counts.length; slot++) {
        if (slot > 0 && line.counts[slot] != line.counts[slot - 1]) {
          path.append("V").append(SvgWriter.tenths(y(line.counts[slot])));
        }
        path.append("H").append(SvgWriter.tenths(x((slot + 1) * slotSeconds)));
      }
      svg.add(
          "<path d='%s' fill='none' stroke='%s' stroke-width='%s' stroke-linejoin='round'/>",
          path, line.color.variable(), width);
    }
  }
}
