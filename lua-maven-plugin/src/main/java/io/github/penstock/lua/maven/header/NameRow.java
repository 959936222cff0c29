package io.github.penstock.lua.maven.header;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A row of an include's header that lists names.
 *
 * @param label {@code Takes}, {@code Reads} or {@code Sets}
 * @param names the names
 * @param line the line (from 1) of the row; that of the header if the row is missing
 */
public record NameRow(String label, SortedSet<String> names, int line) {
  /** The default of a row that is not written. */
  static NameRow missing(String label) {
    return new NameRow(label, new TreeSet<>(), 1);
  }
}
