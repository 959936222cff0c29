package io.github.penstock.benchmarks.report;

import java.text.DecimalFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.HorizontalBarChart;
import org.knowm.xchart.HorizontalBarChartBuilder;
import org.knowm.xchart.style.HorizontalBarStyler;
import org.knowm.xchart.style.Styler.LegendLayout;

/**
 * A chart of horizontal bars: named things, from top to bottom, each with a bar per series. Not
 * safe for use by several threads.
 */
public final class Bars {
  private static final int BAR = 22;
  private static final int GAP = 12;
  private static final int AXIS = 62;
  private static final int LEGEND = 34;
  private static final int LEGEND_ROW = 27;
  private static final double MISSING = Double.NaN;
  private static final int LETTER = 7;
  private static final int SIGN = 34;
  private static final int PLOT = 290;
  private static final int MARGIN = 40;
  private final String title;
  private final String axis;
  private final Map<String, Map<String, Double>> series = new LinkedHashMap<>();
  private final Map<String, Hue> hues = new LinkedHashMap<>();
  private final List<String> names = new ArrayList<>();
  private String pattern = "#,##0";

  /**
   * An empty chart.
   *
   * @param title what is shown
   * @param axis what the length of a bar is, with its unit
   */
  public Bars(String title, String axis) {
    this.title = title;
    this.axis = axis;
  }

  /** Names a series before its first bar, so that series have an order. */
  public Bars series(String name, Hue hue) {
    hues.putIfAbsent(name, hue);
    series.computeIfAbsent(name, key -> new LinkedHashMap<>());
    return this;
  }

  /** Formats the numbers on bars and axis, as {@link java.text.DecimalFormat} does. */
  public Bars numbers(String decimalFormat) {
    pattern = decimalFormat;
    return this;
  }

  /** Adds a bar; where a series has none, its place stays empty. */
  public Bars bar(String name, String ofSeries, Hue hue, double value) {
    if (!names.contains(name)) {
      names.add(name);
    }
    hues.putIfAbsent(ofSeries, hue);
    series.computeIfAbsent(ofSeries, key -> new LinkedHashMap<>()).put(name, value);
    return this;
  }

  /** Whether there is no bar. */
  public boolean isEmpty() {
    return names.isEmpty();
  }

  /** How many series there are. */
  public int series() {
    return series.size();
  }

  /** Draws it. */
  public Figure figure(String caption) {
    return SvgFigure.of(title, caption, this::chart);
  }

  private HorizontalBarChart chart() {
    boolean legend = series.size() > 1;
    int beside = MARGIN + names.stream().mapToInt(String::length).max().orElse(0) * LETTER;
    int width = Math.max(SvgFigure.WIDTH, beside + PLOT);
    int legendWidth = series.keySet().stream().mapToInt(n -> n.length() * LETTER + SIGN).sum();
    // The library centres the legend under the bars, not under the chart.
    boolean wide = legendWidth > width - beside;
    int legendHeight = !legend ? 0 : wide ? LEGEND + (series.size() - 1) * LEGEND_ROW : LEGEND;
    int height = AXIS + legendHeight + names.size() * (BAR * series.size() + GAP);
    HorizontalBarChart chart =
        new HorizontalBarChartBuilder().width(width).height(height).xAxisTitle(axis).build();
    style(chart.getStyler(), legend, width - beside);
    if (wide) {
      chart.getStyler().setLegendLayout(LegendLayout.Vertical);
    }
    for (Map.Entry<String, Map<String, Double>> each : series.entrySet()) {
      Map<String, Double> values = each.getValue();
      List<Double> lengths = names.stream().map(bar -> values.getOrDefault(bar, MISSING)).toList();
      Hue hue = hues.get(each.getKey());
      chart.addSeries(each.getKey(), lengths, names).setFillColor(hue.placeholder());
    }
    return chart;
  }

  private void style(HorizontalBarStyler style, boolean legend, double plot) {
    SvgFigure.frame(style, legend);
    style.setYAxisTitleVisible(false);
    style.setPlotGridHorizontalLinesVisible(false);
    style.setAxisTicksLineVisible(false);
    style.setXAxisDecimalPattern(pattern);
    style.setDecimalPattern(pattern);
    style.setXAxisMin(0.0);
    style.setXAxisMax(Collections.max(all()) * plot / (plot - valueWidth()));
    style.setLabelsVisible(true);
    style.setLabelsFont(SvgFigure.FONT);
    style.setLabelsFontColorAutomaticEnabled(false);
    style.setLabelsFontColor(Ink.TEXT.placeholder());
    style.setLabelsPosition(1.1);
    style.setAvailableSpaceFill(0.8);
    // The library bounds the names on the other axis by this number too.
    style.setXAxisMaxLabelCount(Math.max(5, names.size()));
    style.setXAxisTickMarkSpacingHint(90);
  }

  /* What stands behind the longest bar. */
  private double valueWidth() {
    return SIGN + new DecimalFormat(pattern).format(Collections.max(all())).length() * LETTER;
  }

  private List<Double> all() {
    return series.values().stream().flatMap(values -> values.values().stream()).toList();
  }
}
