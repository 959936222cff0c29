package io.github.penstock.lua.maven.source;

import io.github.penstock.lua.maven.rule.RuleViolation;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The constants of a directory: {@code include/constants.lua} has a line {@code name = 1000} or
 * {@code name = "text"} for each, and {@code $name} means it in every script and include.
 */
final class ScriptConstants {
  private static final String RULE = "constant";
  private static final String NUMBER = "-?(?:0[xX][0-9a-fA-F]+|\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)";
  private static final Pattern LINE =
      Pattern.compile("([a-z][a-z0-9_]*) = (?:(" + NUMBER + ")|\"([^\"\\\\]*)\")");

  private final Map<String, String> values = new TreeMap<>();
  private final Map<String, LineOrigin> places = new TreeMap<>();
  private final Set<RuleViolation> problems;

  private ScriptConstants(Set<RuleViolation> problems) {
    this.problems = problems;
  }

  /** A directory without constants. */
  static ScriptConstants none() {
    return new ScriptConstants(Set.of());
  }

  /** Reads the file of constants and reports the lines that are wrong. */
  static ScriptConstants read(SourceFile file, Set<RuleViolation> problems) {
    ScriptConstants constants = new ScriptConstants(problems);
    for (int line = 1; line <= file.lines().size(); line++) {
      String text = file.lines().get(line - 1).strip();
      if (!text.isEmpty() && !text.startsWith("--")) {
        constants.define(text, file.origin(line));
      }
    }
    return constants;
  }

  private void define(String text, LineOrigin place) {
    Matcher line = LINE.matcher(text);
    if (!line.matches()) {
      problems.add(
          place.violation(
              RULE, "a constant is written  name = 1000  or  name = \"text\", not " + text));
      return;
    }
    String name = line.group(1);
    LineOrigin before = places.putIfAbsent(name, place);
    if (before != null) {
      problems.add(place.violation(RULE, name + " is a constant already: " + before));
      return;
    }
    values.put(name, line.group(2) == null ? line.group(3) : line.group(2));
  }

  /** The value of a constant; null if it is unknown. */
  @Nullable String value(String name) {
    return values.get(name);
  }

  /** The value of a constant; the placeholder if it is unknown. */
  String text(String name) {
    return Matcher.quoteReplacement(values.getOrDefault(name, "$" + name));
  }

  /** Reports the constants that are not among the names in use. */
  void checkUsed(Set<String> names) {
    places.forEach(
        (name, place) -> {
          if (!names.contains(name)) {
            problems.add(
                place.violation(
                    RULE, name + " is never used: no script and no include has $" + name));
          }
        });
  }
}
