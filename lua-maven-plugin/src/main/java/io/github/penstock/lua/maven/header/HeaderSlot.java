package io.github.penstock.lua.maven.header;

import java.util.List;

/**
 * A row of a header that describes keys, arguments or replies.
 *
 * @param table {@code KEYS}, {@code ARGV} or {@code Reply}
 * @param first the first index it describes, from 1; 0 for the last key or argument, at any index
 * @param last the last index it describes; 0 for the last key or argument
 * @param names one name per index
 * @param description their meaning
 * @param form the number of times that they come
 * @param line the line (from 1) of the row
 */
public record HeaderSlot(
    String table,
    int first,
    int last,
    List<String> names,
    String description,
    SlotForm form,
    int line) {
  /** The number of times that the values of a row come. */
  public enum SlotForm {
    /** Once. */
    ONCE,
    /** Any number of times, one group after the other. */
    REPEATED,
    /** Once or not at all, as the last of all. */
    OPTIONAL,
    /** From here on, in groups whose length only the script knows. */
    OPEN
  }

  /** The number of values, in one group if it is repeated. */
  public int size() {
    return names.size();
  }

  /** The row's first column: {@code ARGV[2..4]}. */
  public String label() {
    if (form == SlotForm.OPTIONAL) {
      return table + "[n]";
    }
    if (form == SlotForm.OPEN) {
      return table + "[" + first + "..n]";
    }
    return table
        + "["
        + first
        + (form == SlotForm.REPEATED || last > first ? ".." + last : "")
        + "]";
  }

  /** The unit of one of its values. */
  public String unit(String name) {
    return table.equals("KEYS") ? "key" : ValueUnits.of(name, description);
  }

  public boolean isOpen() {
    return form == SlotForm.OPEN;
  }

  public boolean covers(int index) {
    return form != SlotForm.OPTIONAL && first <= index && (index <= last || isOpen());
  }
}
