package io.github.penstock.benchmarks.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Joins lines of one style that follow each other end to end into one polyline: a tenth of the
 * size, and corners without gaps.
 */
final class Polylines {
  private static final Pattern LINE =
      Pattern.compile(
          "<line style=\"([^\"]*)\" x1=\"([^\"]*)\" x2=\"([^\"]*)\" y1=\"([^\"]*)\" y2=\"([^\"]*)\"/>");
  private final StringBuilder out = new StringBuilder();
  private final StringBuilder points = new StringBuilder();
  private String style = "";
  private String end = "";

  private Polylines() {}

  /** The SVG with such lines joined; there is no white space between its elements. */
  static String joined(String svg) {
    return new Polylines().join(svg);
  }

  private String join(String svg) {
    Matcher line = LINE.matcher(svg);
    int done = 0;
    while (line.find()) {
      String from = line.group(2) + "," + line.group(4);
      if (line.start() != done || !line.group(1).equals(style) || !from.equals(end)) {
        flush();
        out.append(svg, done, line.start());
        style = line.group(1);
        points.append(from);
      }
      end = line.group(3) + "," + line.group(5);
      points.append(' ').append(end);
      done = line.end();
    }
    flush();
    return out.append(svg, done, svg.length()).toString();
  }

  private void flush() {
    if (!points.isEmpty()) {
      out.append("<polyline style=\"").append(style).append("\" points=\"");
      out.append(points).append("\"/>");
      points.setLength(0);
    }
  }
}
