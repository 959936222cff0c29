package io.github.penstock.simulator.record;

import org.jspecify.annotations.Nullable;

/** Makes records of lines. Safe for use by several threads once it is settled. */
public interface RecordFormat {
  /** The record in this line; null if it holds none, as an empty line or a header. */
  @Nullable RecordFields read(String line) throws UnreadableRecordException;

  /** Returns whether a record goes on in the next line. */
  default boolean isOpen(String text) {
    return false;
  }

  /** Returns whether no later record depends on an earlier one, so that threads may share this. */
  default boolean isSettled() {
    return true;
  }
}
