package io.github.penstock.lua.maven.syntax;

/**
 * Something that Lua 5.1 does not accept.
 *
 * @param line the line (from 1) in the text that was read
 * @param message the mistake, in words
 * @param opened the line on which the construct begins that is not closed; 0 if it is about none
 */
public record SyntaxProblem(int line, String message, int opened) {
  SyntaxProblem(int line, String message) {
    this(line, message, 0);
  }
}
