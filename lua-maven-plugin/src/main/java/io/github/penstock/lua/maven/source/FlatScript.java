package io.github.penstock.lua.maven.source;

import io.github.penstock.lua.maven.rule.RuleViolation;
import io.github.penstock.lua.maven.rule.ViolationReport;
import io.github.penstock.lua.maven.syntax.SyntaxProblem;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;

/**
 * A script with its includes in place.
 *
 * @param text the whole text, ending with a line break
 * @param origins the place where each line of the text was written
 * @param owners the writer of the text from an offset on, up to the next offset
 * @param includes its includes, one for each place
 */
public record FlatScript(
    String text,
    List<LineOrigin> origins,
    NavigableMap<Integer, TextOwner> owners,
    List<IncludeUse> includes) {

  /** The place where a line (from 1) of the text was written. */
  public LineOrigin origin(int line) {
    return origins.get(Math.min(line, origins.size()) - 1);
  }

  /** The writer of the character at an offset. */
  public TextOwner owner(int offset) {
    return owners.floorEntry(offset).getValue();
  }

  /** The place where an unclosed construct begins, as the end of a message. */
  public String opened(SyntaxProblem problem) {
    return problem.opened() == 0 ? "" : " (opened at " + origin(problem.opened()) + ")";
  }

  /** A report that names the files in which the lines were written. */
  public ViolationReport reportTo(Set<RuleViolation> problems) {
    return (line, rule, message) -> problems.add(origin(line).violation(rule, message));
  }
}
