package io.github.penstock.benchmarks.compare.log;

import org.jspecify.annotations.Nullable;

/** Makes records of lines. Not safe for use by several threads. */
interface RecordFormat {
  /** The record in this line; null if it holds none, as an empty line or a header. */
  @Nullable Fields read(String line) throws Unreadable;

  /** Whether a record goes on in the next line. */
  default boolean isOpen(String text) {
    return false;
  }
}
