package io.github.penstock.benchmarks.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.IChart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Turns a chart into an SVG element that takes its colours from the page's style, scales with the
 * page, and is named for those who cannot see it.
 */
final class SvgFigure {
  static final int WIDTH = 480;
  static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
  private static final Color CLEAR = new Color(0, 0, 0, 0);
  private static final Pattern NUMBER = Pattern.compile("-?\\d+\\.\\d{2,}(?:E-?\\d+)?");
  private static final Pattern ROOT = Pattern.compile("(?s)^.*?<svg[^>]*>");
  private static final AtomicInteger COUNT = new AtomicInteger();

  static {
    // Nothing is shown on a screen, so there need be none.
    if (System.getProperty("java.awt.headless") == null) {
      System.setProperty("java.awt.headless", "true");
    }
  }

  private SvgFigure() {}

  /** The frame that all charts share: no box, quiet lines, the legend above. */
  static void frame(AxesChartStyler style, boolean legend) {
    style.setBaseFont(FONT);
    style.setChartTitleVisible(false);
    style.setChartBackgroundColor(Ink.PAPER.placeholder());
    style.setPlotBackgroundColor(Ink.PAPER.placeholder());
    style.setPlotBorderVisible(false);
    style.setChartPadding(6);
    style.setChartFontColor(Ink.TEXT.placeholder());
    style.setLegendVisible(legend);
    style.setLegendFont(FONT);
    style.setLegendPosition(LegendPosition.OutsideS);
    style.setLegendLayout(LegendLayout.Horizontal);
    style.setLegendBackgroundColor(CLEAR);
    style.setLegendBorderColor(CLEAR);
    style.setAxisTickLabelsFont(FONT);
    style.setAxisTitleFont(FONT);
    axes(style);
  }

  private static void axes(AxesChartStyler style) {
    Color muted = Ink.MUTED.placeholder();
    style.setXAxisTickLabelsColor(Ink.TEXT.placeholder());
    style.setYAxisTickLabelsColor(Ink.TEXT.placeholder());
    style.setAxisTickMarksColor(Ink.GRID.placeholder());
    style.setXAxisTickMarksColor(Ink.GRID.placeholder());
    style.setYAxisTickMarksColor(Ink.GRID.placeholder());
    style.setXAxisTitleColor(muted);
    style.setYAxisTitleColor(muted);
    style.setPlotGridLinesColor(Ink.GRID.placeholder());
    style.setPlotGridLinesStroke(new BasicStroke(1f));
  }

  /** The figure of a chart, or of the reason why this Java cannot draw it. */
  static Figure of(String title, String caption, Supplier<? extends IChart> chart) {
    String svg;
    try {
      svg = themed(drawn(chart.get()), title);
    } catch (LinkageError | InternalError | NullPointerException failure) {
      if (!isOfFonts(failure)) {
        throw failure;
      }
      svg =
          "<p class=\"missing\">No picture: this Java finds no fonts to draw with. Install fontconfig and any"
              + " font; the figures are in the tables.</p>";
    }
    return new Figure(title, caption, svg);
  }

  /* A Java that finds no font library or no font fails in one of these, each release in its way. */
  private static boolean isOfFonts(Throwable failure) {
    for (Throwable told = failure; told != null; told = told.getCause()) {
      boolean fonts =
          Arrays.stream(told.getStackTrace())
              .map(StackTraceElement::getClassName)
              .anyMatch(name -> name.startsWith("sun.font.") || name.startsWith("sun.awt."));
      if (fonts) {
        return true;
      }
    }
    return false;
  }

  /* XChart 4.0.3 has deprecated this without naming anything in its place. */
  @SuppressWarnings("deprecation")
  private static String drawn(IChart chart) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      VectorGraphicsEncoder.saveVectorGraphic(chart, bytes, VectorGraphicsFormat.SVG);
      return bytes.toString(StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static String themed(String svg, String title) {
    Matcher root = ROOT.matcher(svg);
    if (!root.find()) {
      throw new IllegalStateException("the chart library did not draw an SVG");
    }
    Matcher box = Pattern.compile("viewBox=\"([^\"]*)\"").matcher(root.group());
    String viewBox = box.find() ? box.group(1) : "0 0 " + WIDTH + " " + WIDTH;
    String body =
        rounded(coloured(svg.substring(root.end())))
            .replaceAll("clip(?=-?\\d)", "clip" + COUNT.incrementAndGet() + "-")
            .replaceAll(">\\s+<", "><");
    return "<svg class=\"chart\" role=\"img\" aria-label=\"%s\" viewBox=\"%s\">%s"
        .formatted(Html.escaped(title), viewBox, Polylines.joined(body.strip()));
  }

  private static String coloured(String svg) {
    String text = svg.replace(rgb(Color.BLACK), Ink.TEXT.variable());
    for (Ink ink : Ink.values()) {
      text = text.replace(rgb(ink.placeholder()), ink.variable());
    }
    for (Hue hue : Hue.values()) {
      text = text.replace(rgb(hue.placeholder()), hue.variable());
    }
    return text;
  }

  private static String rgb(Color color) {
    return "rgb(" + color.getRed() + "," + color.getGreen() + "," + color.getBlue() + ")";
  }

  /* Two digits after the point are finer than any screen, and halve the size. */
  private static String rounded(String svg) {
    return NUMBER
        .matcher(svg)
        .replaceAll(
            number ->
                new BigDecimal(number.group())
                    .setScale(2, RoundingMode.HALF_UP)
                    .stripTrailingZeros()
                    .toPlainString());
  }
}
