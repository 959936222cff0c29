package io.github.penstock.simulator.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * CSV (RFC 4180) with a header or given columns, separated by whichever of comma, semicolon, tab
 * and bar is most frequent in the first line. A quoted field may go over several lines.
 */
public final class CsvLog implements RecordFormat {
  private static final String SEPARATORS = ",;\t|";
  private final boolean headerGiven;
  private char separator;
  private boolean begun;
  private List<String> columns;
  private Map<String, Integer> index = new HashMap<>();

  /** With these columns; if there are none, the first line is a header. */
  public CsvLog(List<String> columns) {
    this.headerGiven = !columns.isEmpty();
    this.columns = columns;
    number();
  }

  /** Returns whether a line could be one of CSV. */
  static boolean looksLike(String line) {
    return line.chars().anyMatch(c -> SEPARATORS.indexOf(c) >= 0);
  }

  @Override
  public boolean isOpen(String text) {
    return count(text, '"') % 2 != 0;
  }

  @Override
  public boolean isSettled() {
    return begun;
  }

  @Override
  public @Nullable RecordFields read(String line) throws UnreadableRecordException {
    if (line.isBlank()) {
      return null;
    }
    boolean isFirst = !begun;
    if (isFirst) {
      separator = separator(line);
    }
    List<String> values = fields(line);
    if (isFirst) {
      begun = true;
    }
    if (isFirst && !headerGiven) {
      columns = values.stream().map(String::strip).toList();
      number();
      return null;
    }
    if (isFirst && values.equals(columns)) {
      return null;
    }
    if (values.size() != columns.size()) {
      throw new UnreadableRecordException(values.size() + " fields instead of " + columns.size());
    }
    return new CsvFields(columns, index, values);
  }

  private void number() {
    index = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      index.putIfAbsent(columns.get(i), i);
    }
  }

  private static char separator(String line) {
    char best = SEPARATORS.charAt(0);
    for (char each : SEPARATORS.toCharArray()) {
      best = count(line, each) > count(line, best) ? each : best;
    }
    return best;
  }

  private static long count(String line, char wanted) {
    long count = 0;
    for (int at = line.indexOf(wanted); at >= 0; at = line.indexOf(wanted, at + 1)) {
      count++;
    }
    return count;
  }

  /* A field is quoted if it begins with a quote; behind its last quote only spaces may follow. */
  private List<String> fields(String text) throws UnreadableRecordException {
    List<String> fields = new ArrayList<>();
    for (int begin = 0; begin <= text.length(); ) {
      boolean quoted = text.startsWith("\"", begin);
      int closed = quoted ? behindQuotes(text, begin) : begin;
      int found = text.indexOf(separator, closed);
      int end = found < 0 ? text.length() : found;
      if (quoted && !text.substring(closed, end).isBlank()) {
        throw misplaced();
      }
      fields.add(
          quoted
              ? text.substring(begin + 1, closed - 1).replace("\"\"", "\"")
              : text.substring(begin, end));
      begin = end + 1;
    }
    return fields;
  }

  private static int behindQuotes(String text, int begin) throws UnreadableRecordException {
    int quote = text.indexOf('"', begin + 1);
    while (text.startsWith("\"\"", quote)) {
      quote = text.indexOf('"', quote + 2);
    }
    if (quote < 0) {
      throw misplaced();
    }
    return quote + 1;
  }

  private static UnreadableRecordException misplaced() {
    return new UnreadableRecordException("not CSV: a quote in the wrong place");
  }

  private record CsvFields(List<String> names, Map<String, Integer> index, List<String> values)
      implements RecordFields {
    @Override
    public @Nullable String get(String name) {
      Integer at = index.get(name);
      String value = at == null ? "" : values.get(at).strip();
      return value.isEmpty() || value.equals("-") ? null : value;
    }
  }
}
