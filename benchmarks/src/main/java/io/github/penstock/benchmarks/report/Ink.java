package io.github.penstock.benchmarks.report;

import java.awt.Color;
import java.util.Locale;

/** The colours of a chart's frame, by role. */
enum Ink {
  TEXT,
  MUTED,
  GRID,
  PAPER;

  Color placeholder() {
    return new Color(11, 21, 31 + ordinal());
  }

  String variable() {
    return "var(--" + name().toLowerCase(Locale.ROOT) + ")";
  }
}
