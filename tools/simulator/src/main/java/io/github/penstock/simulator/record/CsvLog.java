package io.github.penstock.simulator.record;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.jspecify.annotations.Nullable;

/**
 * CSV (RFC 4180) with a header or given columns, separated by whichever of comma, semicolon, tab
 * and bar is most frequent in the first line. A quoted field may go over several lines.
 */
public final class CsvLog implements RecordFormat {
  private static final String SEPARATORS = ",;\t|";
  private final boolean headerGiven;
  private char separator = SEPARATORS.charAt(0);
  private CSVFormat quoted = CSVFormat.RFC4180;
  private boolean begun;
  private List<String> columns;
  private Map<String, Integer> index = new HashMap<>();

  /** With these columns; if there are none, the first line is a header. */
  public CsvLog(List<String> columns) {
    this.headerGiven = !columns.isEmpty();
    this.columns = columns;
    number();
  }

  /** Returns whether at least half of the lines have as many separators as the first. */
  static boolean fits(List<String> lines) {
    char separator = separator(lines.get(0));
    long fields = count(lines.get(0), separator);
    long alike = lines.stream().filter(each -> count(each, separator) >= fields).count();
    return fields > 0 && 2 * alike >= lines.size();
  }

  @Override
  public boolean isOpen(String text) {
    return count(text, '"') % 2 != 0;
  }

  @Override
  public @Nullable RecordFields read(String line) throws UnreadableRecordException {
    if (line.isBlank()) {
      return null;
    }
    boolean isFirst = !begun;
    if (isFirst) {
      separator = separator(line);
      quoted = CSVFormat.RFC4180.builder().setDelimiter(separator).get();
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

  private List<String> fields(String text) throws UnreadableRecordException {
    if (text.indexOf('"') < 0) {
      return List.of(text.split(Pattern.quote(String.valueOf(separator)), -1));
    }
    try (CSVParser parser = CSVParser.parse(text, quoted)) {
      return parser.getRecords().get(0).toList();
    } catch (IOException | UncheckedIOException misplaced) {
      throw new UnreadableRecordException("not CSV: a quote in the wrong place");
    }
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
