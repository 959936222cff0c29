package io.github.penstock.benchmarks.report;

/** How a finding is marked. */
public enum Verdict {
  /** Speaks for what the report is about. */
  AHEAD("ahead"),
  /** Speaks against it. */
  BEHIND("behind"),
  /** Neither. */
  NOTE("note"),
  /** Says how far the report can be relied on. */
  CAUTION("caution");

  private final String label;

  Verdict(String label) {
    this.label = label;
  }

  /** One word, in lower case, which is also the style's name. */
  public String label() {
    return label;
  }
}
