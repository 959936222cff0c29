package io.github.penstock.simulator.record;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * W3C Extended Log File Format, as IIS and CloudFront write it: {@code #Fields} names the columns,
 * which spaces or tabs separate. Date and time are in two columns, in UTC.
 *
 * <p>Source: W3C working draft WD-logfile-960323.
 */
public final class ExtendedLog implements RecordFormat {
  static final String FIELDS = "#Fields:";
  private List<String> columns = List.of();

  @Override
  public @Nullable RecordFields read(String line) throws UnreadableRecordException {
    if (line.startsWith(FIELDS)) {
      List<String> named = List.of(line.substring(FIELDS.length()).strip().split("\\s+"));
      if (columns.isEmpty()) {
        columns = named;
      } else if (!columns.equals(named)) {
        throw new UnreadableRecordException("#Fields changes within the log: split it here");
      }
      return null;
    }
    if (line.isBlank() || line.startsWith("#")) {
      return null;
    }
    List<String> values = List.of(line.strip().split(line.indexOf('\t') < 0 ? " +" : "\t", -1));
    if (values.size() != columns.size()) {
      throw new UnreadableRecordException(values.size() + " fields instead of " + columns.size());
    }
    return new Columns(columns, values);
  }

  private record Columns(List<String> columns, List<String> values) implements RecordFields {
    @Override
    public @Nullable String get(String name) {
      int index = columns.indexOf(name);
      String value = index < 0 ? "-" : values.get(index);
      int date = name.equals("time") ? columns.indexOf("date") : -1;
      String whole = date < 0 || index < 0 ? value : values.get(date) + "T" + value + "Z";
      return whole.isEmpty() || whole.equals("-") ? null : whole;
    }

    @Override
    public List<String> names() {
      return columns;
    }
  }
}
