package io.github.penstock.lua.maven.syntax;

/**
 * A comment with its exact text, dashes included.
 *
 * @param text the comment from its first dash to its last character, without the line's end
 * @param line the line (from 1) it starts on
 * @param alone whether nothing but white space stands before it on its line
 */
public record Comment(String text, int line, boolean alone) {
  /** Returns whether it is written with long brackets and may span lines. */
  public boolean block() {
    return text.matches("(?s)--\\[=*\\[.*");
  }
}
