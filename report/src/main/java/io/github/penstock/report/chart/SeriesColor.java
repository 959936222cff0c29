package io.github.penstock.report.chart;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;

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

  String variable() {
    return "var(--hue-" + name().toLowerCase(Locale.ROOT) + ")";
  }

  /** The style that gives all colours their values, those of text and lines as well. */
  public static String style() {
    try (InputStream in =
        Objects.requireNonNull(SeriesColor.class.getResourceAsStream("colors.css"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
