package io.github.penstock.lua.maven.script;

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
  public record Origin(String file, int line) {}

  /** A report that names the files in which the lines were written. */
  Report reportTo(Set<Problem> problems) {
    return (line, rule, message) -> {
      Origin origin = origins.get(Math.min(line, origins.size()) - 1);
      problems.add(new Problem(origin.file(), origin.line(), rule, message));
    };
  }
}
