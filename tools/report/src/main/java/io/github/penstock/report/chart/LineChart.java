package io.github.penstock.report.chart;

import io.github.penstock.report.chart.AxisScale.Tick;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A chart of lines over a common x axis. Not safe for use by several threads. */
public final class LineChart {
  private static final String NUMBERS = "#,##0.###";
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
  private static final double HEIGHT = 170;
  private static final int MOST_TICKS = 6;
  private final String title;
  private final String xAxis;
  private final String yAxis;
  private final List<Line> lines = new ArrayList<>();
  private boolean logarithmicX;
  private boolean steps;
  private @Nullable ZonedDateTime begin;
  private double reach;
  private double furthest = -Double.MAX_VALUE;

  /** An empty chart; the axes' names have their units. */
  public LineChart(String title, String xAxis, String yAxis) {
    this.title = title;
    this.xAxis = xAxis;
    this.yAxis = yAxis;
  }

  /** Makes the x axis one of powers of ten. */
  public LineChart logarithmicX() {
    logarithmicX = true;
    return this;
  }

  /**
   * Draws steps, for counts in slots of time: x is seconds from 0 on, a value holds until the next,
   * and the last x is where the last value ends.
   *
   * @param since when x is 0, for an axis that has the times of a clock; null for one that counts
   *     seconds, minutes or hours
   */
  public LineChart stepsOverTime(@Nullable ZonedDateTime since) {
    begin = since;
    steps = true;
    return this;
  }

  /** Makes the axes reach these values at least: charts of one reach share their axes. */
  public LineChart reach(double x, double y) {
    furthest = Math.max(furthest, x);
    reach = Math.max(reach, y);
    return this;
  }

  /**
   * Adds a line.
   *
   * @throws IllegalArgumentException if it has no points, or not as many x as y
   */
  public LineChart line(String name, SeriesColor color, double[] x, double[] y) {
    if (x.length == 0 || x.length != y.length) {
      throw new IllegalArgumentException(
          "x and y must be as many, at least one: " + x.length + " and " + y.length);
    }
    lines.add(new Line(name, color, x.clone(), y.clone()));
    return reach(Arrays.stream(x).max().orElseThrow(), Arrays.stream(y).max().orElseThrow());
  }

  public boolean isEmpty() {
    return lines.isEmpty();
  }

  public ReportFigure figure(String caption) {
    SvgWriter svg = new SvgWriter();
    Map<String, SeriesColor> legend = new LinkedHashMap<>();
    lines.forEach(line -> legend.put(legendName(line), line.color));
    double top = svg.legend(legend) + 2 * SvgWriter.MARGIN + SvgWriter.LINE;
    AxisScale y = AxisScale.fromZero(reach, steps ? 1 : 0.001, MOST_TICKS - 1, LineChart::number);
    double left =
        2 * SvgWriter.MARGIN
            + y.ticks().stream().mapToDouble(tick -> SvgWriter.width(tick.label())).max().orElse(0);
    String last = begin == null ? number(furthest) : "00:00:00";
    double right = SvgWriter.WIDTH - SvgWriter.MARGIN - SvgWriter.width(last) / 2;
    Plot plot = new Plot(svg, xScale(right - left), y, left, right, top);
    plot.frame(xAxis, yAxis);
    if (steps) {
      // The first line stays visible behind another of the same values.
      lines.forEach(line -> plot.steps(line, lines.size() > 1 && line == lines.get(0)));
      tooltips(plot);
    } else {
      lines.forEach(plot::marks);
    }
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

  /* Lines have their x in common, or every point is a row. */
  private ResultTable<?> table() {
    SortedMap<Double, Map<Line, Double>> rows = new TreeMap<>();
    for (Line line : lines) {
      for (int i = 0; i < line.x.length - (steps ? 1 : 0); i++) {
        rows.computeIfAbsent(line.x[i], x -> new HashMap<>()).put(line, line.y[i]);
      }
    }
    ResultTable<Map.Entry<Double, Map<Line, Double>>> table =
        new ResultTable<Map.Entry<Double, Map<Line, Double>>>(title, rows.entrySet())
            .words(steps ? "time" : xAxis, row -> at(row.getKey()));
    for (Line line : lines) {
      table.figure(
          line.name + ", " + yAxis,
          FigureKind.WRITTEN,
          row -> row.getValue().containsKey(line) ? number(row.getValue().get(line)) : null);
    }
    return table;
  }

  private AxisScale xScale(double width) {
    double nearest =
        lines.stream().flatMapToDouble(line -> Arrays.stream(line.x)).min().orElseThrow();
    double label = SvgWriter.width(number(furthest)) + 2 * SvgWriter.MARGIN;
    int count = (int) Math.max(1, Math.min(MOST_TICKS, width / label));
    return steps
        ? begin == null
            ? AxisScale.clock(furthest, MOST_TICKS, LineChart::number)
            : AxisScale.timeOfDay(begin, furthest, MOST_TICKS - 1)
        : logarithmicX
            ? AxisScale.powers(nearest, furthest, count, LineChart::number)
            : AxisScale.between(nearest, furthest, count, LineChart::number);
  }

  /*
   * Lines of steps share their x, so the values of all of them are shown at every pointer position.
   */
  private void tooltips(Plot plot) {
    double[] x = lines.get(0).x;
    plot.svg.add("<g fill='none' pointer-events='all'>");
    for (int i = 0; i < x.length - 1; i++) {
      int slot = i;
      String values =
          lines.stream()
              .map(line -> line.name + " " + number(line.y[slot]))
              .collect(Collectors.joining(", "));
      double left = plot.x(x[i]);
      plot.svg.add(
          "<path d='M%s %sV%sH%sV%sz'><title>%s</title></path>",
          left, plot.top, plot.bottom(), plot.x(x[i + 1]), plot.top, at(x[i]) + ": " + values);
    }
    plot.svg.add("</g>");
  }

  private String description() {
    return lines.stream()
        .map(line -> line.name + ": " + description(line))
        .collect(
            Collectors.joining(
                "; ",
                title + ". Lines: " + yAxis + ", by " + (steps ? "time" : xAxis) + ". ",
                "."));
  }

  private String description(Line line) {
    double[] y = line.y;
    int most = IntStream.range(0, y.length).reduce(0, (a, b) -> y[b] > y[a] ? b : a);
    return "%s at first, at most %s, at %s, and %s at last"
        .formatted(number(y[0]), number(y[most]), at(line.x[most]), number(y[y.length - 1]));
  }

  private String at(double x) {
    if (begin != null) {
      return TIME.format(begin.plusNanos(Math.round(x * 1e9)));
    }
    return steps ? NumberText.time(Math.round(x * 1e6)) : number(x);
  }

  private static String number(double value) {
    return NumberText.of(value, NUMBERS);
  }

  private record Line(String name, SeriesColor color, double[] x, double[] y) {
    /* Whether both have the same values as far as they reach, and 0 beyond. */
    boolean isCoveredBy(Line other) {
      int shorter = Math.min(x.length, other.x.length);
      return Arrays.equals(x, 0, shorter, other.x, 0, shorter)
          && Arrays.equals(y, 0, shorter, other.y, 0, shorter)
          && Stream.of(y, other.y)
              .flatMapToDouble(values -> Arrays.stream(values).skip(shorter))
              .allMatch(value -> value == 0);
    }
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

    void steps(Line line, boolean behind) {
      StringBuilder path = new StringBuilder("M").append(at(line, 0));
      for (int i = 1; i < line.x.length; i++) {
        path.append("H").append(SvgWriter.tenths(x(line.x[i])));
        if (line.y[i] != line.y[i - 1]) {
          path.append("V").append(SvgWriter.tenths(y(line.y[i])));
        }
      }
      draw(line, path, behind ? 4 : 2);
    }

    void marks(Line line) {
      StringBuilder path = new StringBuilder("M").append(at(line, 0));
      IntStream.range(1, line.x.length).forEach(i -> path.append("L").append(at(line, i)));
      draw(line, path, 2);
      for (int i = 0; i < line.x.length; i++) {
        svg.add(
            "<circle cx='%s' cy='%s' r='3.5' fill='%s'><title>%s</title></circle>",
            x(line.x[i]),
            y(line.y[i]),
            line.color.variable(),
            line.name + ", " + number(line.x[i]) + ": " + number(line.y[i]));
      }
    }

    private void draw(Line line, CharSequence path, double width) {
      svg.add(
          "<path d='%s' fill='none' stroke='%s' stroke-width='%s' stroke-linejoin='round'/>",
          path, line.color.variable(), width);
    }

    private String at(Line line, int i) {
      return SvgWriter.tenths(x(line.x[i])) + " " + SvgWriter.tenths(y(line.y[i]));
    }
  }
}
