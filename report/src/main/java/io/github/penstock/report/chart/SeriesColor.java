package io.github.penstock.report.chart;

import io.github.penstock.scripts.LuaScript;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;

/**
 * A series' colour, by role and not by value: the style says what it is in light, in dark and on
 * paper. The same thing has the same colour in every figure of a report.
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

  /** The colour of an algorithm, the same in every chart. */
  public static SeriesColor of(LuaScript script) {
    return switch (script) {
      case FIXED_WINDOW -> ORANGE;
      case SLIDING_WINDOW -> PURPLE;
      case TOKEN_BUCKET -> BLUE;
      case LEAKY_BUCKET -> GREEN;
      case INTERVAL_BUCKET -> BROWN;
    };
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
