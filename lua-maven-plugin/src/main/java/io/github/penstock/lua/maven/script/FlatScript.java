package io.github.penstock.lua.maven.script;

import io.github.penstock.lua.maven.syntax.SyntaxProblem;
import java.util.List;
import java.util.Set;

/**
 * A script with its includes in place.
 *
 * @param name the script's name: its file's, without the extension
 * @param text the whole text, ending with a line break
 * @param origins for every line of the text, where it was written
 */
public record FlatScript(String name, String text, List<Origin> origins) {
  /** A line (from 1) of a file. */
  public record Origin(String file, int line) {
    @Override
    public String toString() {
      return file + ":" + line;
    }
  }

  private Origin origin(int line) {
    return origins.get(Math.min(line, origins.size()) - 1);
  }

  /** Where an unclosed construct begins, as the end of a message. */
  String opened(SyntaxProblem problem) {
    return problem.opened() == 0 ? "" : " (opened at " + origin(problem.opened()) + ")";
  }

  /** A report that names the files in which the lines were written. */
  Report reportTo(Set<Problem> problems) {
    return (line, rule, message) -> {
      Origin origin = origin(line);
      problems.add(new Problem(origin.file(), origin.line(), rule, message));
    };
  }
}
