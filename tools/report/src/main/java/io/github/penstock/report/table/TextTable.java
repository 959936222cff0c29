package io.github.penstock.report.table;

import io.github.penstock.report.console.TerminalWidth;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Text in columns, each as wide as its widest cell and two spaces from the next.
 *
 * @param leftColumns how many of the first columns are aligned left; the others are right
 * @param spared the columns that are left out, one after the other, as long as the terminal is too
 *     narrow
 */
record TextTable(int leftColumns, List<Integer> spared, List<List<String>> rows) {
  private static final String INDENT = "  ";

  /** The table's lines, without a line end and without trailing spaces. */
  List<String> lines() {
    Set<Integer> without = new HashSet<>();
    for (int column : spared) {
      if (lines(without).stream().anyMatch(line -> line.length() > TerminalWidth.columns())) {
        without.add(column);
      }
    }
    return lines(without);
  }

  private List<String> lines(Set<Integer> without) {
    return rows.stream().map(row -> line(row, without)).toList();
  }

  private String line(List<String> cells, Set<Integer> without) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      if (!without.contains(column)) {
        String cell = cells.get(column);
        String padding = " ".repeat(width(column) - cell.length());
        line.append(INDENT).append(column < leftColumns ? cell + padding : padding + cell);
      }
    }
    return line.toString().stripTrailing();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
