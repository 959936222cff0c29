package io.github.penstock.report;

import java.util.Locale;

/** How a finding is marked. */
public enum FindingVerdict {
  /** Reaches a goal of its own. */
  MET("goal met"),
  /** Does not reach a goal of its own. */
  MISSED("goal missed"),
  /** Neither. */
  NOTE("note"),
  /** Says how far the report can be relied on. */
  CAUTION("caution");

  private final String label;

  FindingVerdict(String label) {
    this.label = label;
  }

  /** A word or two for a reader. */
  String label() {
    return label;
  }

  /** The class that report.css gives its colour. */
  String style() {
    return name().toLowerCase(Locale.ROOT);
  }
}
