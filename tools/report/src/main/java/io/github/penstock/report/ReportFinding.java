package io.github.penstock.report;

/**
 * One sentence that follows from the figures.
 *
 * @param verdict the word for a reader, and the class that report.css gives its colour
 * @param sentence plain text
 */
public record ReportFinding(String verdict, String sentence) {
  /** A finding that speaks neither for nor against. */
  public static ReportFinding note(String sentence) {
    return new ReportFinding("note", sentence);
  }

  /** A finding that says how far the report can be relied on. */
  public static ReportFinding caution(String sentence) {
    return new ReportFinding("caution", sentence);
  }
}
