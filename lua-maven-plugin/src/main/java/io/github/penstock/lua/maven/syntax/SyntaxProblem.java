package io.github.penstock.lua.maven.syntax;

/** The first thing in a script that Lua 5.1 does not accept; reading ends there, as luac does. */
public final class SyntaxProblem extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final int line;
  private final int opened;

  /**
   * @param line the line (from 1) in the text that was read
   * @param message the mistake, in words
   * @param opened the line on which the construct begins that is not closed; 0 if it is about none
   */
  SyntaxProblem(int line, String message, int opened) {
    super(message, null, false, false);
    this.line = line;
    this.opened = opened;
  }

  SyntaxProblem(int line, String message) {
    this(line, message, 0);
  }

  /** The line (from 1) in the text that was read. */
  public int line() {
    return line;
  }

  /** The line on which the construct begins that is not closed; 0 if it is about none. */
  public int opened() {
    return opened;
  }
}
