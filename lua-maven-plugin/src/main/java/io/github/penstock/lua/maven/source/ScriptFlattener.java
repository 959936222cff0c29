package io.github.penstock.lua.maven.source;

import io.github.penstock.lua.maven.rule.RuleViolation;
import java.nio.file.Path;
import java.util.Set;

/**
 * Puts the includes of scripts in their places.
 *
 * <p>A line {@code --- @include "name"} becomes the text of {@code include/name.lua}, indented like
 * the line, as often as there is such a line. Of the include's header only the sentence is left, as
 * a comment, where the include comes for the first time.
 */
public final class ScriptFlattener {
  private final Path directory;
  private final IncludeLibrary library;
  private final Set<RuleViolation> problems;

  /**
   * Opens a directory of scripts.
   *
   * @param directory where the scripts are
   * @param library their includes and constants
   * @param problems takes the rules that are broken
   */
  public ScriptFlattener(Path directory, IncludeLibrary library, Set<RuleViolation> problems) {
    this.directory = directory;
    this.library = library;
    this.problems = problems;
  }

  /** Reads the script of a name. */
  public FlatScript flatten(String name) {
    String file = name + ".lua";
    String label = directory.getFileName() + "/" + file;
    SourceFile source = SourceFile.read(directory.resolve(file), label, problems);
    return new FlatteningPass(library, problems).flatten(source);
  }
}
