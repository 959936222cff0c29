package io.github.penstock.benchmarks.compare.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record of a log, by the names of its fields. */
interface Fields {
  /** The value of a field; null if the record has none or it is empty. */
  @Nullable String get(String name);

  /** The names there are. */
  List<String> names();
}
