package io.github.penstock.lua.maven.header;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Derives the unit of a value from its name, or else from the words that describe it. */
final class ValueUnits {
  private static final Map<String, String> SUFFIXES =
      Map.of(
          "us",
          "microseconds",
          "ms",
          "milliseconds",
          "s",
          "seconds",
          "seconds",
          "seconds",
          "bytes",
          "bytes",
          "percent",
          "percent");
  private static final Set<String> WORDS =
      Set.of("units", "flag", "index", "count", "bytes", "text", "percent", "seconds");
  private static final Pattern FLAG = Pattern.compile("(0 or 1|1 or 0)\\b.*");
  private static final Pattern INDEX = Pattern.compile(".*, (counted )?from [01]\\b.*");

  private ValueUnits() {}

  /** The unit; {@code units} where nothing says otherwise. */
  static String of(String name, String description) {
    String suffix = name.substring(name.lastIndexOf('_') + 1);
    if (name.contains("_") && SUFFIXES.containsKey(suffix)) {
      return SUFFIXES.get(suffix);
    }
    String first = description.replaceFirst("^optional: ", "").split("[^a-z]", 2)[0];
    if (WORDS.contains(first)) {
      return first;
    }
    if (FLAG.matcher(description).matches()) {
      return "flag";
    }
    return INDEX.matcher(description).matches() ? "index" : "units";
  }
}
