package io.github.penstock.lua.maven.syntax;

/**
 * The smallest unit of a script, with its exact source text and the line (from 1) it starts on.
 *
 * @param kind its kind
 * @param text its source text, byte for byte; empty at the end of the script
 * @param line the line of its first character
 * @param offset the offset of its first character in the text, from 0
 */
public record Token(TokenKind kind, String text, int line, int offset) {
  /** Returns whether this is the given keyword or symbol. */
  public boolean is(String expected) {
    return (kind == TokenKind.KEYWORD || kind == TokenKind.SYMBOL) && text.equals(expected);
  }

  /** This token under another name. */
  public Token renamed(String name) {
    return new Token(kind, name, line, offset);
  }

  /** The line of its last character; only a string can span several. */
  public int lastLine() {
    return line + (int) text.chars().filter(c -> c == '\n').count();
  }

  /** The token as an error message quotes it. */
  String quoted() {
    return kind == TokenKind.END
        ? "the end of the script"
        : "'" + text.lines().findFirst().orElse("") + "'";
  }
}
