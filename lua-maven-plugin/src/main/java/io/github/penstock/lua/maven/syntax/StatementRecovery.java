package io.github.penstock.lua.maven.syntax;

import java.util.Set;

/**
 * Finds the next statement of a block after one that could not be read.
 *
 * <p>The variables of the lost statement stay declared. Blocks that it opened and did not close are
 * read as part of the block around it, so that one mistake gives one problem.
 */
final class StatementRecovery {
  private static final Set<String> STARTS =
      Set.of("local", "if", "for", "while", "repeat", "return", "break");
  private static final Set<String> ENDS = Set.of("end", "else", "elseif", "until");

  private final TokenCursor tokens;
  private final VariableScopes scopes;
  private VariableScopes.ScopeMark mark;
  private int start;
  private int lost;
  private int owed;

  StatementRecovery(TokenCursor tokens, VariableScopes scopes) {
    this.tokens = tokens;
    this.scopes = scopes;
    this.mark = scopes.mark();
  }

  /** Notes that a statement begins here. */
  void begin() {
    mark = scopes.mark();
    start = tokens.position();
  }

  /** Returns whether blocks of lost statements are still to be closed. */
  boolean owes() {
    return owed > 0;
  }

  /** Gives up the statement that began last, and continues where the next one begins. */
  void skip() {
    scopes.backTo(mark, tokens.position());
    if (tokens.position() == start) {
      tokens.take();
    }
    if (owed == 0) {
      lost = start;
    }
    seek();
    int opened = opened(start);
    owed += Math.max(0, opened);
    tokens.lose(opened != 0);
  }

  /** Skips a word that closes a block of a lost statement; returns whether it did. */
  boolean passedOver() {
    if (owed == 0 || tokens.at(TokenKind.END) || !ENDS.contains(word(tokens.position()))) {
      return false;
    }
    String closing = tokens.take().text();
    if (closing.equals("end") || closing.equals("until")) {
      owed--;
    }
    if (!closing.equals("else")) {
      seek();
    }
    return true;
  }

  private void seek() {
    int brackets = 0;
    for (int i = lost; i < tokens.position(); i++) {
      brackets += bracket(word(i));
    }
    while (!tokens.at(TokenKind.END) && !begins(brackets)) {
      brackets += bracket(tokens.take().text());
    }
  }

  private boolean begins(int brackets) {
    String word = word(tokens.position());
    if (STARTS.contains(word) || ENDS.contains(word)) {
      return true;
    }
    if (word.equals("function")) {
      return tokens.after().kind() == TokenKind.NAME;
    }
    boolean newLine = tokens.previous().lastLine() < tokens.line();
    return newLine && brackets <= 0 && (word.equals("do") || tokens.at(TokenKind.NAME));
  }

  /** The number of blocks that the tokens from a position on open, less those that they close. */
  private int opened(int from) {
    int opened = 0;
    int loops = 0;
    for (int i = from; i < tokens.position(); i++) {
      switch (word(i)) {
        case "for", "while" -> {
          opened++;
          loops++;
        }
        case "do" -> {
          opened += loops == 0 ? 1 : 0;
          loops = Math.max(0, loops - 1);
        }
        case "if", "repeat", "function" -> opened++;
        case "end", "until" -> opened--;
        default -> {}
      }
    }
    return opened;
  }

  private static int bracket(String word) {
    return switch (word) {
      case "(", "[", "{" -> 1;
      case ")", "]", "}" -> -1;
      default -> 0;
    };
  }

  private String word(int position) {
    return tokens.all().get(position).text();
  }
}
