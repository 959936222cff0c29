package io.github.penstock.lua.maven.syntax;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The parser's place in a script, and its notes on the way there. */
final class TokenCursor {
  private final List<Token> tokens;
  private final List<SyntaxProblem> problems;
  private final BitSet omittable = new BitSet();
  private int position;
  private boolean lost;
  private boolean unbalanced;

  TokenCursor(List<Token> tokens, List<SyntaxProblem> problems) {
    this.tokens = tokens;
    this.problems = new ArrayList<>(problems);
  }

  /** Ends the parsing of a statement that makes no sense from here on. */
  static final class UnreadableStatement extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnreadableStatement() {
      super(null, null, false, false);
    }
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
      if (!unbalanced || !symbol.equals("end") && !symbol.equals("until")) {
        String message =
            "expected '" + symbol + "' to close '" + opener + "' instead of " + peek().quoted();
        problems.add(new SyntaxProblem(line(), message, opened));
      }
      throw new UnreadableStatement();
    }
  }

  Token name() {
    if (!at(TokenKind.NAME)) {
      throw fail("expected a name instead of " + peek().quoted());
    }
    if (peek().text().equals("goto")) {
      problem("'goto' is not a name in every version of Lua");
    }
    return take();
  }

  UnreadableStatement fail(String message) {
    problem(message);
    return new UnreadableStatement();
  }

  void problem(String message) {
    problem(line(), message);
  }

  void problem(int line, String message) {
    problems.add(new SyntaxProblem(line, message));
  }

  /** Reports a token that cannot stand outside every block; if it closes a block, it is skipped. */
  void misplaced() {
    if (!unbalanced) {
      problem("unexpected " + peek().quoted());
    }
    lose(false);
    if (atAny("end", "else", "elseif", "until")) {
      take();
      lose(true);
    }
  }

  /**
   * Notes that a statement was lost.
   *
   * @param unbalanced whether it may have left a block open; then a word that closes a block is no
   *     longer held against the script
   */
  void lose(boolean unbalanced) {
    lost = true;
    this.unbalanced |= unbalanced;
  }

  /** Returns whether a statement was lost. */
  boolean lost() {
    return lost;
  }

  /** Notes that a token could be left out. */
  void omit(int index) {
    omittable.set(index);
  }

  List<Token> all() {
    return tokens;
  }

  List<SyntaxProblem> problems() {
    return problems;
  }

  BitSet omittable() {
    return omittable;
  }
}
