package io.github.penstock.benchmarks.report;

import java.awt.BasicStroke;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.None;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A chart of lines over a common x axis. Not safe for use by several threads. */
public final class Lines {
  private static final int HEIGHT = 300;
  private final String title;
  private final String xAxis;
  private final String yAxis;
  private final List<Line> lines = new ArrayList<>();
  private boolean logarithmicX;
  private boolean marked = true;
  private XYSeriesRenderStyle render = XYSeriesRenderStyle.Line;

  /** An empty chart; the axes' names have their units. */
  public Lines(String title, String xAxis, String yAxis) {
    this.title = title;
    this.xAxis = xAxis;
    this.yAxis = yAxis;
  }

  /** Makes the x axis one of powers of ten. */
  public Lines logarithmicX() {
    logarithmicX = true;
    return this;
  }

  /** Draws steps without marks, for counts per interval; a value holds until the next. */
  public Lines steps() {
    render = XYSeriesRenderStyle.Step;
    marked = false;
    return this;
  }

  /**
   * Adds a line.
   *
   * @throws IllegalArgumentException if it has no points, or not as many x as y
   */
  public Lines line(String name, Hue hue, double[] x, double[] y) {
    if (x.length == 0 || x.length != y.length) {
      throw new IllegalArgumentException(
          "x and y must be as many, at least one: " + x.length + " and " + y.length);
    }
    lines.add(new Line(name, hue, x.clone(), y.clone()));
    return this;
  }

  /** Whether there is no line. */
  public boolean isEmpty() {
    return lines.isEmpty();
  }

  /** Draws it. */
  public Figure figure(String caption) {
    return SvgFigure.of(title, caption, this::chart);
  }

  private XYChart chart() {
    XYChart chart =
        new XYChartBuilder()
            .width(SvgFigure.WIDTH)
            .height(HEIGHT)
            .xAxisTitle(xAxis)
            .yAxisTitle(yAxis)
            .build();
    style(chart.getStyler());
    for (Line line : lines) {
      XYSeries series = chart.addSeries(line.name, line.x, line.y);
      series.setLineColor(line.hue.placeholder());
      series.setMarkerColor(line.hue.placeholder());
      series.setLineStyle(new BasicStroke(2.2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
      series.setMarker(marked ? SeriesMarkers.CIRCLE : new None());
      series.setXYSeriesRenderStyle(render);
    }
    return chart;
  }

  private void style(XYStyler style) {
    SvgFigure.frame(style, lines.size() > 1);
    style.setMarkerSize(7);
    style.setPlotGridVerticalLinesVisible(false);
    style.setAxisTicksLineVisible(false);
    style.setYAxisMin(0.0);
    style.setXAxisDecimalPattern("#,##0.###");
    style.setYAxisDecimalPattern("#,##0.###");
    style.setXAxisLogarithmic(logarithmicX);
    style.setXAxisTickMarkSpacingHint(70);
    if (logarithmicX) {
      style.setXAxisMax(furthest() * 1.3);
    } else if (marked) {
      style.setXAxisMaxLabelCount(8);
    }
  }

  private double furthest() {
    return lines.stream().flatMapToDouble(line -> Arrays.stream(line.x)).max().orElseThrow();
  }

  private record Line(String name, Hue hue, double[] x, double[] y) {}
}
