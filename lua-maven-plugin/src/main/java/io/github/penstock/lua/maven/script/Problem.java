package io.github.penstock.lua.maven.script;

import java.util.Comparator;

/**
 * A rule that a source breaks.
 *
 * @param file the file, relative to the parent of the source directory
 * @param line the line in that file, from 1
 * @param rule the rule's short name, as the README lists it
 * @param message what is wrong and what to do
 */
public record Problem(String file, int line, String rule, String message)
    implements Comparable<Problem> {
  private static final Comparator<Problem> ORDER =
      Comparator.comparing(Problem::file)
          .thenComparing(Problem::line)
          .thenComparing(Problem::rule)
          .thenComparing(Problem::message);

  @Override
  public int compareTo(Problem other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return file + ":" + line + ": " + rule + ": " + message;
  }
}
