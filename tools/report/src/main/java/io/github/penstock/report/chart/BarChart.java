package io.github.penstock.report.chart;

import io.github.penstock.report.chart.AxisScale.Tick;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A chart of horizontal bars: named things, from top to bottom, each with a bar per series. Not
 * safe for use by several threads.
 */
public final class BarChart {
  private static final double BAR = 13;
  private static final double GAP = 9;
  private static final int MOST_TICKS = 5;
  private final String title;
  private final String axis;
  private final Map<String, SeriesColor> series = new LinkedHashMap<>();
  private final Map<String, Map<String, Double>> bars = new LinkedHashMap<>();
  private String pattern = "#,##0";
  private double reach;
  private double mark;

  /**
   * An empty chart.
   *
   * @param title the subject of the chart
   * @param axis the meaning of a bar's length, with its unit
   */
  public BarChart(String title, String axis) {
    this.title = title;
    this.axis = axis;
  }

  /** Names a series before its first bar, so that series have an order. */
  public BarChart series(String name, SeriesColor color) {
    series.putIfAbsent(name, color);
    return this;
  }

  /** Formats the numbers on bars and axis, as {@link java.text.DecimalFormat} does. */
  public BarChart numbers(String decimalFormat) {
    pattern = decimalFormat;
    return this;
  }

  /** Makes the axis reach this value at least: charts of one reach share their axis. */
  public BarChart reach(double value) {
    reach = Math.max(reach, value);
    return this;
  }

  /** Draws a line across all bars at a value above 0, such as a limit. */
  public BarChart mark(double value) {
    mark = value;
    return reach(value);
  }

  /** Returns how far the axis reaches at least. */
  public double reach() {
    return reach;
  }

  /** Adds a bar; without one, or with a value that is not a number, its place stays empty. */
  public BarChart bar(String name, String ofSeries, SeriesColor color, double value) {
    series(ofSeries, color);
    Map<String, Double> values = bars.computeIfAbsent(name, key -> new LinkedHashMap<>());
    if (!Double.isFinite(value)) {
      return this;
    }
    values.put(ofSeries, value);
    return reach(value);
  }

  public boolean isEmpty() {
    return bars.isEmpty();
  }

  /** Returns how many names have bars. */
  public int size() {
    return bars.size();
  }

  public ReportFigure figure(String caption) {
    SvgWriter svg = new SvgWriter();
    double top = svg.legend(series);
    double bottom = top + bars.size() * (SvgWriter.LINE + BAR * series.size() + GAP);
    double beside = SvgWriter.width(number(reach)) + SvgWriter.MARGIN;
    double width = SvgWriter.WIDTH - SvgWriter.MARGIN - beside;
    int ticks = (int) Math.min(MOST_TICKS, width / (beside + SvgWriter.MARGIN));
    AxisScale scale = AxisScale.fromZero(reach, NumberText.finest(pattern), ticks, this::number);
    for (Tick tick : scale.ticks()) {
      double x = SvgWriter.MARGIN + scale.position(tick.value()) * width;
      svg.line(x, top, x, bottom);
      String anchor = tick.value() == 0 ? "start" : "middle";
      svg.text(x, bottom + SvgWriter.LINE, anchor, "muted", tick.label());
    }
    double y = top;
    for (Map.Entry<String, Map<String, Double>> named : bars.entrySet()) {
      svg.name(SvgWriter.MARGIN, y + SvgWriter.LINE - 4, named.getKey());
      y += SvgWriter.LINE;
      for (String each : series.keySet()) {
        Double value = named.getValue().get(each);
        if (value != null) {
          double length = Math.max(0, scale.position(value)) * width;
          svg.add(
              "<rect x='%s' y='%s' width='%s' height='%s' fill='%s'><title>%s</title></rect>",
              SvgWriter.MARGIN,
              y + 1,
              Math.max(1, length),
              BAR - 2,
              series.get(each).variable(),
              named.getKey() + ", " + each + ": " + number(value) + " (" + axis + ")");
          svg.text(SvgWriter.MARGIN + length + 5, y + BAR - 2, "start", "text", number(value));
        }
        y += BAR;
      }
      y += GAP;
    }
    if (mark > 0) {
      double x = SvgWriter.MARGIN + scale.position(mark) * width;
      svg.add(
          "<path d='M%s %sV%s' fill='none' stroke='%s' stroke-width='2'/>",
          x, top, bottom, SeriesColor.GREY.variable());
    }
    svg.text(SvgWriter.MARGIN, bottom + 2 * SvgWriter.LINE, "start", "muted", axis);
    return new ReportFigure(
        title,
        caption,
        table(),
        svg.svg(bottom + 2 * SvgWriter.LINE + SvgWriter.MARGIN, description()));
  }

  private ResultTable<?> table() {
    ResultTable<Map.Entry<String, Map<String, Double>>> table =
        new ResultTable<Map.Entry<String, Map<String, Double>>>(title, bars.entrySet())
            .words(axis, Map.Entry::getKey);
    for (String each : series.keySet()) {
      table.figure(
          each,
          FigureKind.WRITTEN,
          row -> row.getValue().containsKey(each) ? number(row.getValue().get(each)) : null);
    }
    return table;
  }

  private String description() {
    List<String> all = new ArrayList<>();
    bars.forEach(
        (name, values) ->
            all.add(
                values.entrySet().stream()
                    .map(each -> each.getKey() + " " + number(each.getValue()))
                    .collect(Collectors.joining(", ", name + ": ", ""))));
    return title + ". Bars, " + axis + ". " + String.join("; ", all) + ".";
  }

  private String number(double value) {
    return NumberText.of(value, pattern);
  }
}
