package io.github.penstock.simulator.record;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record of a log, by the names of its fields. */
public interface RecordFields {
  /** The value of a field; null if the record has none or it is empty. */
  @Nullable String get(String name);

  List<String> names();

  /** The words that stand before the address; null if there are none, or if it has a name. */
  default @Nullable String beforeAddress() {
    return null;
  }
}
