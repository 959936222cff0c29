package io.github.penstock.simulator.record;

import org.jspecify.annotations.Nullable;

/** Makes records of the lines of one log. Not safe for use by several threads. */
public interface RecordFormat {
  /** The record in this line; null if it holds none, as an empty line or a header. */
  @Nullable RecordFields read(String line) throws UnreadableRecordException;

  /** Returns whether a record goes on in the next line. */
  default boolean isOpen(String text) {
    return false;
  }
}
