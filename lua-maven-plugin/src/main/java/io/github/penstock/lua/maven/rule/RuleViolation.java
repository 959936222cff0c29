package io.github.penstock.lua.maven.rule;

import java.util.Comparator;

/**
 * A rule that a source breaks.
 *
 * @param file the file, relative to the parent of the source directory
 * @param line the line in that file, from 1
 * @param rule the rule's short name, as the README lists it
 * @param message the mistake, and how to mend it
 */
public record RuleViolation(String file, int line, String rule, String message)
    implements Comparable<RuleViolation> {
  private static final Comparator<RuleViolation> ORDER =
      Comparator.comparing(RuleViolation::file)
          .thenComparing(RuleViolation::line)
          .thenComparing(RuleViolation::rule)
          .thenComparing(RuleViolation::message);

  @Override
  public int compareTo(RuleViolation other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return file + ":" + line + ": " + rule + ": " + message;
  }
}
