package io.github.penstock.report;

import io.github.penstock.report.chart.ReportFigure;
import io.github.penstock.report.table.ResultTable;
import java.util.ArrayList;
import java.util.List;

/**
 * One question of a report: findings, figures, and the tables that the figures were drawn from. Not
 * safe for use by several threads.
 */
public final class ReportChapter {
  final String title;
  final String introduction;
  final List<ReportFinding> findings = new ArrayList<>();
  final List<ReportFigure> figures = new ArrayList<>();
  final List<ResultTable<?>> tables = new ArrayList<>();
  boolean collapsed;

  /**
   * An empty chapter.
   *
   * @param title the question or the subject
   * @param introduction plain text that a reader needs in order to understand it, may be empty
   */
  public ReportChapter(String title, String introduction) {
    this.title = title;
    this.introduction = introduction;
  }

  /** Adds a finding; they stand below the figures, in order. */
  public ReportChapter add(ReportFinding finding) {
    findings.add(finding);
    return this;
  }

  /** Adds a figure; they stand side by side where there is room. */
  public ReportChapter add(ReportFigure figure) {
    figures.add(figure);
    return this;
  }

  /** Adds a table, which stands below the findings, folded; one without rows is left out. */
  public ReportChapter add(ResultTable<?> table) {
    if (!table.isEmpty()) {
      tables.add(table);
    }
    return this;
  }

  /** Shows only the title, until its reader wants more; not of a document's first chapter. */
  public ReportChapter folded() {
    collapsed = true;
    return this;
  }

  boolean isEmpty() {
    return findings.isEmpty() && figures.isEmpty() && tables.isEmpty();
  }
}
