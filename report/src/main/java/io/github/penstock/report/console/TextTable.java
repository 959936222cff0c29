package io.github.penstock.report.console;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Text in columns, each as wide as its widest cell and two spaces from the next; the first columns
 * are aligned left, the others right. Not safe for use by several threads.
 */
public final class TextTable {
  private static final String INDENT = "  ";
  private final int leftColumns;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<Integer> optional = new ArrayList<>();
  private final Set<Integer> left = new HashSet<>();

  public TextTable(int leftColumns) {
    this.leftColumns = leftColumns;
  }

  /** Adds a row; every row of a table has the same number of cells. */
  public TextTable row(List<String> cells) {
    if (!rows.isEmpty() && rows.get(0).size() != cells.size()) {
      throw new IllegalArgumentException(
          "cells must be " + rows.get(0).size() + ": " + cells.size());
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  public TextTable row(String... cells) {
    return row(List.of(cells));
  }

  /** Leaves out these columns, one after the other, as long as the terminal is too narrow. */
  public TextTable optional(Integer... columns) {
    optional.addAll(List.of(columns));
    return this;
  }

  /** The table's lines, without a line end and without trailing spaces. */
  public List<String> lines() {
    left.clear();
    for (int column : optional) {
      if (width() > TerminalWidth.columns()) {
        left.add(column);
      }
    }
    return rows.stream().map(this::line).toList();
  }

  private int width() {
    return rows.stream().mapToInt(row -> line(row).length()).max().orElse(0);
  }

  private String line(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      if (left.contains(column)) {
        continue;
      }
      String cell = cells.get(column);
      String padding = " ".repeat(width(column) - cell.length());
      line.append(INDENT).append(column < leftColumns ? cell + padding : padding + cell);
    }
    return line.toString().stripTrailing();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
