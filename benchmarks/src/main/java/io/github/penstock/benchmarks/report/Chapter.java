package io.github.penstock.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/**
 * One question of a report: findings, figures, and the tables that the figures were drawn from. Not
 * safe for use by several threads.
 */
public final class Chapter {
  private final String title;
  private final String introduction;
  private final List<Finding> findings = new ArrayList<>();
  private final List<Figure> figures = new ArrayList<>();
  private final List<DataTable> tables = new ArrayList<>();

  /**
   * An empty chapter.
   *
   * @param title the question, or what it is about
   * @param introduction what a reader must know to read it, plain text, may be empty
   */
  public Chapter(String title, String introduction) {
    this.title = title;
    this.introduction = introduction;
  }

  /** Adds a finding; they stand above the figures, in order. */
  public Chapter add(Finding finding) {
    findings.add(finding);
    return this;
  }

  /** Adds a figure; they stand side by side where there is room. */
  public Chapter add(Figure figure) {
    figures.add(figure);
    return this;
  }

  /** Adds a table, which stands in the report's second part; one without rows is left out. */
  public Chapter add(DataTable table) {
    if (!table.isEmpty()) {
      tables.add(table);
    }
    return this;
  }

  String title() {
    return title;
  }

  String introduction() {
    return introduction;
  }

  List<Finding> findings() {
    return findings;
  }

  List<Figure> figures() {
    return figures;
  }

  List<DataTable> tables() {
    return tables;
  }

  boolean isEmpty() {
    return findings.isEmpty() && figures.isEmpty() && tables.isEmpty();
  }
}
