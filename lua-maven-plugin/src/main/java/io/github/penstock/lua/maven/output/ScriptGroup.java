package io.github.penstock.lua.maven.output;

/**
 * The scripts of one directory, which share an enum.
 *
 * @param directory its path below the source directory; empty for that directory itself
 * @param javaClass the simple name of the enum
 */
public record ScriptGroup(String directory, String javaClass) {
  /** The scripts that lie in the source directory itself. */
  static final ScriptGroup MAIN = new ScriptGroup("", "LuaScript");

  /** Checks the values that no file checks. */
  public ScriptGroup {
    if (!directory.matches("|[a-z][a-z0-9]*(-[a-z0-9]+)*") || directory.equals("include")) {
      throw new IllegalArgumentException(
          "groups must name directories in lower case, words joined by '-', not " + directory);
    }
    if (!javaClass.matches("[A-Z][A-Za-z0-9]*")) {
      throw new IllegalArgumentException("groups must name Java enums, not " + javaClass);
    }
  }

  /** The prefix of the names of its files. */
  String folder() {
    return directory.isEmpty() ? "" : directory + "/";
  }
}
