package io.github.penstock.benchmarks.report;

/**
 * One sentence of plain advice that follows from the figures.
 *
 * @param verdict how it is marked
 * @param sentence plain text
 */
public record Finding(Verdict verdict, String sentence) {
  /** A finding that speaks neither for nor against. */
  public static Finding note(String sentence) {
    return new Finding(Verdict.NOTE, sentence);
  }
}
