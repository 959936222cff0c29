package io.github.penstock.report;

/**
 * One sentence that follows from the figures.
 *
 * @param verdict how it is marked
 * @param sentence plain text
 */
public record ReportFinding(FindingVerdict verdict, String sentence) {
  /** A finding that speaks neither for nor against. */
  public static ReportFinding note(String sentence) {
    return new ReportFinding(FindingVerdict.NOTE, sentence);
  }

  /** A finding that says how far the report can be relied on. */
  public static ReportFinding caution(String sentence) {
    return new ReportFinding(FindingVerdict.CAUTION, sentence);
  }
}
