package io.github.penstock.report;

/** How a finding is marked. */
public enum FindingVerdict {
  /** Better than another. */
  AHEAD("ahead"),
  /** Worse than another. */
  BEHIND("behind"),
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

  /** One word, in lower case, which is also the style's name. */
  public String label() {
    return label;
  }
}
