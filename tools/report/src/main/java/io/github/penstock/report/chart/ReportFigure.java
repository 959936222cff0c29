package io.github.penstock.report.chart;

import io.github.penstock.report.table.ResultTable;

/**
 * A picture with the sentence under it; made by one of the charts.
 *
 * @param title the subject of the figure, in a few words
 * @param caption how to read it, plain text, may be empty
 * @param table the data of the figure
 * @param svg an {@code <svg>} element that takes its colours from the page's style
 * @param control HTML with which a reader moves something in it; may be empty
 */
public record ReportFigure(
    String title, String caption, ResultTable<?> table, String svg, String control) {
  /** A picture in which nothing moves. */
  public ReportFigure(String title, String caption, ResultTable<?> table, String svg) {
    this(title, caption, table, svg, "");
  }
}
