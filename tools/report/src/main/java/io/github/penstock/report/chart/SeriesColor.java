package io.github.penstock.report.chart;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;

/**
 * A series' colour, by role and not by value: the style defines it in light, in dark and on paper.
 * An item has one colour in every figure of a report.
 */
public enum SeriesColor {
  BLUE,
  ORANGE,
  GREEN,
  PURPLE,
  RED,
  TEAL,
  PINK,
  BROWN,
  GREY;

  private static final List<SeriesColor> OF_KINDS =
      List.of(ORANGE, PURPLE, BLUE, GREEN, BROWN, RED, TEAL, PINK);

  /**
   * The colour of a kind of limit, the same in every chart.
   *
   * @param kind its place among the kinds, from 0
   */
  public static SeriesColor ofKind(int kind) {
    return OF_KINDS.get(kind % OF_KINDS.size());
  }

  String variable() {
    return "var(--hue-" + name().toLowerCase(Locale.ROOT) + ")";
  }

  /** The style that gives all colours their values, those of text and lines as well. */
  public static String style() {
    return Uncheck.get(
        () ->
            IOUtils.resourceToString(
                "/io/github/penstock/report/chart/colors.css", StandardCharsets.UTF_8));
  }
}
