package io.github.penstock.benchmarks.report;

import java.awt.Color;
import java.util.Locale;

/**
 * A series' colour, by role and not by value: the page's style says what it is in light, in dark
 * and on paper. The same thing has the same hue in every figure of a report.
 */
public enum Hue {
  BLUE,
  ORANGE,
  GREEN,
  PURPLE,
  RED,
  TEAL,
  PINK,
  BROWN,
  GREY;

  /* What the charts are drawn with; SvgFigure replaces each by the style's variable. */
  Color placeholder() {
    return new Color(10, 20, 30 + ordinal());
  }

  String variable() {
    return "var(--hue-" + name().toLowerCase(Locale.ROOT) + ")";
  }
}
