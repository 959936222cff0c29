package io.github.penstock.lua.maven.syntax;

/**
 * The smallest unit of a script, with its exact source text and the line (from 1) it starts on.
 *
 * @param kind what it is
 * @param text its source text, byte for byte; empty at the end of the script
 * @param line the line of its first character
 */
public record Token(Kind kind, String text, int line) {
  /** What a token is. */
  public enum Kind {
    NAME,
    KEYWORD,
    NUMBER,
    STRING,
    SYMBOL,
    END
  }

  /** Whether this is the given keyword or symbol. */
  public boolean is(String expected) {
    return (kind == Kind.KEYWORD || kind == Kind.SYMBOL) && text.equals(expected);
  }

  /** The line of its last character; only a string can span several. */
  public int lastLine() {
    return line + (int) text.chars().filter(c -> c == '\n').count();
  }

  /** The token as an error message quotes it. */
  String quoted() {
    return kind == Kind.END
        ? "the end of the script"
        : "'" + text.lines().findFirst().orElse("") + "'";
  }
}
