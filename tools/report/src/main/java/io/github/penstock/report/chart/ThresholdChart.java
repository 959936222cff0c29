package io.github.penstock.report.chart;

import com.google.gson.Gson;
import io.github.penstock.report.chart.AxisScale.Tick;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import java.util.ArrayList;
import java.util.List;

/**
 * Values from the least to the greatest, below a line that the reader moves, by keys or pointer,
 * with a sentence for each place of it. Not safe for use by several threads.
 */
public final class ThresholdChart {
  private static final String NUMBERS = "#,##0.###";
  private static final double HEIGHT = 220;
  private static final double PERCENT = 100;
  private static final int TICKS = 5;
  private final String title;
  private final String xAxis;
  private final String yAxis;
  private final List<Point> points = new ArrayList<>();
  private final List<Threshold> thresholds = new ArrayList<>();
  private int begin;

  private record Point(double percent, double value) {}

  private record Threshold(double value, String text) {}

  public ThresholdChart(String title, String xAxis, String yAxis) {
    this.title = title;
    this.xAxis = xAxis;
    this.yAxis = yAxis;
  }

  /** Adds the value that this percentage does not exceed: from 0 to 100, and at least 1. */
  public ThresholdChart point(double percent, double value) {
    points.add(new Point(percent, Math.max(1, value)));
    return this;
  }

  /**
   * Adds a place of the line, above the one before.
   *
   * @param text its meaning
   * @param first whether the line is there at first
   */
  public ThresholdChart threshold(double value, String text, boolean first) {
    begin = first ? thresholds.size() : begin;
    thresholds.add(new Threshold(value, text));
    return this;
  }

  public ReportFigure figure(String caption) {
    double most =
        Math.max(points.get(points.size() - 1).value, thresholds.get(thresholds.size() - 1).value);
    AxisScale y = AxisScale.powers(1, Math.max(10, most), TICKS, ThresholdChart::number);
    SvgWriter svg = new SvgWriter();
    double top = 2 * SvgWriter.MARGIN + SvgWriter.LINE;
    double bottom = top + HEIGHT;
    double left = 2 * SvgWriter.MARGIN + SvgWriter.width(number(most));
    double right = SvgWriter.WIDTH - 3 * SvgWriter.MARGIN;
    svg.text(SvgWriter.MARGIN, top - 2 * SvgWriter.MARGIN, "start", "muted", yAxis);
    for (Tick tick : y.ticks()) {
      double at = bottom - y.position(tick.value()) * HEIGHT;
      svg.line(left, at, right, at);
      svg.text(left - SvgWriter.MARGIN, at + 4, "end", "muted", tick.label());
    }
    for (int percent = 0; percent <= PERCENT; percent += 25) {
      double at = left + percent / PERCENT * (right - left);
      svg.text(at, bottom + SvgWriter.LINE, "middle", "muted", percent + " %");
    }
    svg.text(right, bottom + 2 * SvgWriter.LINE, "end", "muted", xAxis);
    StringBuilder path = new StringBuilder();
    for (Point each : points) {
      String x = SvgWriter.tenths(left + each.percent / PERCENT * (right - left));
      String at = SvgWriter.tenths(bottom - y.position(each.value) * HEIGHT);
      path.append(path.isEmpty() ? "M" + x + " " + at : "H" + x + "V" + at);
    }
    svg.add(
        "<path d='%s' fill='none' stroke='%s' stroke-width='2'/>",
        path, SeriesColor.BLUE.variable());
    svg.add(
        "<path class='threshold' d='M%s 0H%s' transform='translate(0 %s)' stroke='%s'"
            + " stroke-width='3'/>",
        left, right, at(y, bottom, begin), SeriesColor.RED.variable());
    return new ReportFigure(
        title,
        caption,
        table(),
        svg.svg(bottom + 2 * SvgWriter.LINE + SvgWriter.MARGIN, title + ". " + caption),
        control(y, bottom));
  }

  private double at(AxisScale y, double bottom, int place) {
    return bottom - y.position(thresholds.get(place).value) * HEIGHT;
  }

  /* Without a script only the sentence is there, and the line stays. */
  private String control(AxisScale y, double bottom) {
    List<Object> places = new ArrayList<>();
    for (int i = 0; i < thresholds.size(); i++) {
      places.add(List.of(Math.round(at(y, bottom, i) * 10) / 10.0, thresholds.get(i).text));
    }
    return "<div class=\"mover\" data-places=\"%s\"><label hidden>Move the line <input type=\"range\" min=\"0\" max=\"%d\" value=\"%d\"></label> <output>%s</output></div>"
        .formatted(
            SafeText.html(new Gson().toJson(places)).replace("\"", "&quot;"),
            thresholds.size() - 1,
            begin,
            SafeText.html(thresholds.get(begin).text));
  }

  private ResultTable<?> table() {
    return new ResultTable<Threshold>(title, thresholds)
        .figure("line", FigureKind.WRITTEN, each -> number(each.value))
        .words("what it means", Threshold::text);
  }

  private static String number(double value) {
    return NumberText.of(value, NUMBERS);
  }
}
