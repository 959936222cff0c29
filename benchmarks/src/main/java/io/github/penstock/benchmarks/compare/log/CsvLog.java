package io.github.penstock.benchmarks.compare.log;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.jspecify.annotations.Nullable;

/**
 * CSV (RFC 4180) with a header or given columns, separated by whichever of comma, semicolon, tab
 * and bar is most frequent in the first line. A quoted field may go over several lines.
 */
final class CsvLog implements RecordFormat {
  private static final List<Character> SEPARATORS = List.of(',', ';', '\t', '|');
  private final boolean headerGiven;
  private @Nullable CsvRecords records;
  private List<String> columns;
  private Map<String, Integer> index = new HashMap<>();

  /** With these columns; if there are none, the first line is a header. */
  CsvLog(List<String> columns) {
    this.headerGiven = !columns.isEmpty();
    this.columns = columns;
    number();
  }

  /** Whether a line could be one of CSV. */
  static boolean looksLike(String line) {
    return SEPARATORS.stream().anyMatch(separator -> line.indexOf(separator) >= 0);
  }

  @Override
  public boolean isOpen(String text) {
    boolean open = false;
    for (int quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', quote + 1)) {
      open = !open;
    }
    return open;
  }

  @Override
  public @Nullable Fields read(String line) throws Unreadable {
    if (line.isBlank()) {
      return null;
    }
    boolean isFirst = records == null;
    if (records == null) {
      records = new CsvRecords(CSVFormat.DEFAULT.builder().setDelimiter(separator(line)).get());
    }
    List<String> values = records.values(line);
    if (isFirst && !headerGiven) {
      columns = values.stream().map(String::strip).toList();
      number();
      return null;
    }
    if (isFirst && values.equals(columns)) {
      return null;
    }
    if (values.size() != columns.size()) {
      throw new Unreadable(values.size() + " fields instead of " + columns.size());
    }
    return new Row(values);
  }

  private void number() {
    index = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      index.putIfAbsent(columns.get(i), i);
    }
  }

  private static char separator(String line) {
    char best = ',';
    for (char separator : SEPARATORS) {
      if (count(line, separator) > count(line, best)) {
        best = separator;
      }
    }
    return best;
  }

  private static long count(String line, char wanted) {
    return line.chars().filter(c -> c == wanted).count();
  }

  private final class Row implements Fields {
    private final List<String> values;

    Row(List<String> values) {
      this.values = values;
    }

    @Override
    public @Nullable String get(String name) {
      Integer at = index.get(name);
      String value = at == null ? "" : values.get(at).strip();
      return value.isEmpty() || value.equals("-") ? null : value;
    }

    @Override
    public List<String> names() {
      return columns;
    }
  }
}
