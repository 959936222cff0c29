package io.github.penstock.report.chart;

import io.github.penstock.report.text.NameBreaks;
import io.github.penstock.report.text.SafeText;
import java.util.Map;

/**
 * Writes the elements of one picture that is {@value #WIDTH} units wide. No font is measured: a
 * letter is taken to be as wide as in a wide font. Not safe for use by several threads.
 */
final class SvgWriter {
  static final double WIDTH = 440;
  static final double MARGIN = 8;
  static final double LINE = 17;
  private static final double LETTER = 7.6;
  private static final double SWATCH = 16;
  private final StringBuilder body = new StringBuilder(1 << 12);

  /**
   * Adds elements.
   *
   * @param template in which each {@code %s} is replaced by one of the values
   * @param values numbers, which are rounded to a tenth, and texts, which are escaped
   */
  void add(String template, Object... values) {
    Object[] shown = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      shown[i] =
          values[i] instanceof Number number
              ? tenths(number.doubleValue())
              : SafeText.html(values[i].toString());
    }
    body.append(template.formatted(shown)).append('\n');
  }

  /** Adds a line of the frame. */
  void line(double x1, double y1, double x2, double y2) {
    add("<line x1='%s' y1='%s' x2='%s' y2='%s' stroke='var(--grid)'/>", x1, y1, x2, y2);
  }

  /** Adds a text whose baseline is at {@code y}. */
  void text(double x, double y, String anchor, String color, String text) {
    add(
        "<text x='%s' y='%s' text-anchor='%s' fill='var(--%s)'>%s</text>",
        x, y, anchor, color, text);
  }

  /** Adds a name that ends within the picture: of a long one the middle is only in its tooltip. */
  void name(double x, double y, String name) {
    String shown = NameBreaks.shortened(name, (int) ((WIDTH - MARGIN - x) / LETTER));
    add("<text x='%s' y='%s'>%s<title>%s</title></text>", x, y, shown, name);
  }

  /** Adds the names of several series at the top. Returns where they end. */
  double legend(Map<String, SeriesColor> series) {
    if (series.size() < 2) {
      return MARGIN;
    }
    double x = MARGIN;
    double y = LINE;
    for (Map.Entry<String, SeriesColor> each : series.entrySet()) {
      double width = SWATCH + width(each.getKey());
      if (x > MARGIN && x + width > WIDTH - MARGIN) {
        x = MARGIN;
        y += LINE;
      }
      String color = each.getValue().variable();
      add("<rect x='%s' y='%s' width='10' height='10' rx='2' fill='%s'/>", x, y - 9, color);
      name(x + SWATCH, y, each.getKey());
      x += width + SWATCH;
    }
    return y + MARGIN;
  }

  /** The picture, with a description for blind readers. */
  String svg(double height, String description) {
    String size = "width='%s' height='%s' viewBox='0 0 %1$s %2$s'";
    return ("<svg class='chart' role='img' aria-label='"
            + SafeText.html(description)
            + "' "
            + size.formatted(tenths(WIDTH), tenths(height))
            + ">\n<g font-family='system-ui, sans-serif' font-size='12.5' fill='var(--text)'>\n"
            + body
            + "</g>\n</svg>")
        .replace('\'', '"');
  }

  /** How wide a text is at most, nearly always. */
  static double width(String text) {
    return LETTER * text.length();
  }

  static String tenths(double value) {
    long tenths = Math.round(value * 10);
    return tenths % 10 == 0 ? String.valueOf(tenths / 10) : String.valueOf(tenths / 10.0);
  }
}
