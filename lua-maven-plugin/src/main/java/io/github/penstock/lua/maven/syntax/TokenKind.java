package io.github.penstock.lua.maven.syntax;

/** The kinds of tokens; {@code END} stands once, after the last token of a script. */
public enum TokenKind {
  NAME,
  KEYWORD,
  NUMBER,
  STRING,
  SYMBOL,
  END
}
