package io.github.penstock.report;

import java.util.Locale;

/** How a finding is marked. */
public enum FindingVerdict {
  NOTE,
  /** Says how far the report can be relied on. */
  CAUTION;

  /** The word for a reader, and the class that report.css gives its colour. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
