package io.github.penstock.lua.maven.source;

import io.github.penstock.lua.maven.rule.RuleViolation;

/**
 * A line of a file, as messages name it.
 *
 * @param file the file
 * @param line the line, from 1
 */
public record LineOrigin(String file, int line) {
  /** The violation of a rule on this line. */
  public RuleViolation violation(String rule, String message) {
    return new RuleViolation(file, line, rule, message);
  }

  @Override
  public String toString() {
    return file + ":" + line;
  }
}
