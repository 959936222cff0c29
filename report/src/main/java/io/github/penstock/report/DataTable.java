package io.github.penstock.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Figures in rows and columns; the first columns are text, the others numbers. Not safe for use by
 * several threads.
 */
public final class DataTable {
  final String title;
  final int textColumns;
  final List<String> header;
  final List<List<String>> rows = new ArrayList<>();
  String note = "";

  /**
   * An empty table.
   *
   * @param title what it holds
   * @param textColumns how many of the first columns are text
   * @param header a name for each column, with the unit
   */
  public DataTable(String title, int textColumns, String... header) {
    this.title = title;
    this.textColumns = textColumns;
    this.header = List.of(header);
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if it has not as many cells as the header
   */
  public DataTable row(List<String> cells) {
    if (cells.size() != header.size()) {
      throw new IllegalArgumentException("cells must be " + header.size() + ": " + cells);
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  public DataTable row(String... cells) {
    return row(List.of(cells));
  }

  /** Says under the table how to read it. */
  public DataTable note(String text) {
    note = text;
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }
}
