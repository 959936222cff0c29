package io.github.penstock.lua.maven.source;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The places in a text that the build fills: {@code $name}, in code, in strings and in comments.
 */
final class PlaceholderPattern {
  private static final Pattern PLACE = Pattern.compile("\\$([a-z][a-z0-9_]*)");

  private PlaceholderPattern() {}

  static Matcher matcher(String text) {
    return PLACE.matcher(text);
  }

  /** The names that occur in some lines. */
  static SortedSet<String> names(List<String> lines) {
    SortedSet<String> names = new TreeSet<>();
    for (String line : lines) {
      matcher(line).results().forEach(place -> names.add(place.group(1)));
    }
    return names;
  }
}
