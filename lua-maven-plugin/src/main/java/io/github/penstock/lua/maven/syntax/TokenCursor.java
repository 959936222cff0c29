package io.github.penstock.lua.maven.syntax;

import java.util.BitSet;
import java.util.List;

/** The parser's place in a script, and its notes on the way there. */
final class TokenCursor {
  private final List<Token> tokens;
  private final BitSet omittable = new BitSet();
  private int position;

  TokenCursor(List<Token> tokens) {
    this.tokens = tokens;
  }

  int position() {
    return position;
  }

  Token peek() {
    return tokens.get(position);
  }

  Token previous() {
    return tokens.get(position - 1);
  }

  Token after() {
    return tokens.get(Math.min(position + 1, tokens.size() - 1));
  }

  int line() {
    return peek().line();
  }

  boolean at(String symbol) {
    return peek().is(symbol);
  }

  boolean atAny(String... symbols) {
    for (String symbol : symbols) {
      if (at(symbol)) {
        return true;
      }
    }
    return false;
  }

  boolean at(TokenKind kind) {
    return peek().kind() == kind;
  }

  Token take() {
    Token token = peek();
    if (token.kind() != TokenKind.END) {
      position++;
    }
    return token;
  }

  boolean taken(String symbol) {
    boolean here = at(symbol);
    if (here) {
      take();
    }
    return here;
  }

  void expect(String symbol) {
    if (!taken(symbol)) {
      throw fail("expected '" + symbol + "' instead of " + peek().quoted());
    }
  }

  void expectEnd(String symbol, String opener, int opened) {
    if (!taken(symbol)) {
      String message =
          "expected '" + symbol + "' to close '" + opener + "' instead of " + peek().quoted();
      throw new SyntaxProblem(line(), message, opened);
    }
  }

  Token name() {
    if (!at(TokenKind.NAME)) {
      throw fail("expected a name instead of " + peek().quoted());
    }
    if (peek().text().equals("goto")) {
      throw fail("'goto' is not a name in every version of Lua");
    }
    return take();
  }

  SyntaxProblem fail(String message) {
    return new SyntaxProblem(line(), message);
  }

  /** Notes that a token could be left out. */
  void omit(int index) {
    omittable.set(index);
  }

  BitSet omittable() {
    return omittable;
  }
}
