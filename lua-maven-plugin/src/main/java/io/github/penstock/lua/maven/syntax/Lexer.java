package io.github.penstock.lua.maven.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Splits a script into tokens and comments, by the rules of Lua 5.1.
 *
 * <p>Escapes, hexadecimal floats and operators of later versions of Lua are read as such, so that
 * the message can name them, and reported. Reading continues after each, because a file that waits
 * for its constants is not valid Lua yet.
 */
public final class Lexer {
  private static final Set<String> KEYWORDS =
      Set.of(
          "and",
          "break",
          "do",
          "else",
          "elseif",
          "end",
          "false",
          "for",
          "function",
          "if",
          "in",
          "local",
          "nil",
          "not",
          "or",
          "repeat",
          "return",
          "then",
          "true",
          "until",
          "while");
  private static final List<String> SYMBOLS =
      List.of(
          "...", "..", ".", "==", "=", "<=", "<<", "<", ">=", ">>", ">", "~=", "~", "::", ":", "//",
          "/", "+", "-", "*", "%", "^", "#", "(", ")", "{", "}", "[", "]", ";", ",", "&", "|");
  private static final Set<String> LATER_SYMBOLS = Set.of("//", "&", "|", "~", "<<", ">>");
  private static final Pattern NUMBER =
      Pattern.compile("0[xX][0-9a-fA-F]+|(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
  private static final Pattern HEX_FLOAT = Pattern.compile("0[xX].*[.pP].*");

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private final List<Comment> comments = new ArrayList<>();
  private final List<SyntaxProblem> problems = new ArrayList<>();
  private int at;
  private int line = 1;

  private Lexer(String text) {
    this.text = text;
  }

  /**
   * A text, split.
   *
   * @param tokens the tokens in order; the last is of kind {@link TokenKind#END}
   * @param comments the comments in order
   * @param problems the places that Lua 5.1 does not accept
   */
  public record LexedText(
      List<Token> tokens, List<Comment> comments, List<SyntaxProblem> problems) {}

  /** Reads a whole text. */
  public static LexedText read(String text) {
    Lexer lexer = new Lexer(text);
    while (lexer.at < text.length()) {
      lexer.next();
    }
    lexer.tokens.add(new Token(TokenKind.END, "", lexer.line, lexer.at));
    return new LexedText(
        List.copyOf(lexer.tokens), List.copyOf(lexer.comments), List.copyOf(lexer.problems));
  }

  /**
   * Returns whether the word is reserved in Lua 5.1, or in the later versions that a tool may
   * speak.
   */
  public static boolean reserved(String word) {
    return KEYWORDS.contains(word) || word.equals("goto");
  }

  private void next() {
    char c = text.charAt(at);
    if (c == '\n' || Character.isWhitespace(c)) {
      take(1);
    } else if (text.startsWith("--", at)) {
      comment();
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else if (c == '[' && longBracket(at) >= 0) {
      add(TokenKind.STRING, longEnd(at, "string"));
    } else if (digit(c) || c == '.' && at + 1 < text.length() && digit(text.charAt(at + 1))) {
      number();
    } else if (letter(c)) {
      word();
    } else {
      symbol(c);
    }
  }

  private void comment() {
    int end = longBracket(at + 2) >= 0 ? longEnd(at + 2, "comment") : lineEnd(at);
    int lineStart = text.lastIndexOf('\n', at) + 1;
    boolean alone = text.substring(lineStart, at).isBlank();
    comments.add(new Comment(text.substring(at, end), line, alone));
    take(end - at);
  }

  private void quoted(char quote) {
    int end = at + 1;
    while (end < text.length() && text.charAt(end) != quote && text.charAt(end) != '\n') {
      end += text.charAt(end) == '\\' ? escape(end) : 1;
    }
    if (end >= text.length() || text.charAt(end) != quote) {
      problem("a string is not closed on its line");
      end = Math.min(end, text.length()) - 1;
    }
    add(TokenKind.STRING, end + 1);
  }

  /** The length of the escape sequence at a backslash. */
  private int escape(int backslash) {
    char c = backslash + 1 < text.length() ? text.charAt(backslash + 1) : ' ';
    if (!digit(c)) {
      if ("abfnrtv\\\"'\n".indexOf(c) < 0) {
        problem("Lua 5.1 has no escape sequence \\" + c);
      }
      return 2;
    }
    int end = backslash + 1;
    while (end < backslash + 4 && end < text.length() && digit(text.charAt(end))) {
      end++;
    }
    if (Integer.parseInt(text.substring(backslash + 1, end)) > 255) {
      problem("the escape sequence " + text.substring(backslash, end) + " is over 255");
    }
    return end - backslash;
  }

  private void number() {
    int end = at;
    while (end < text.length()
        && (word(text.charAt(end)) || text.charAt(end) == '.' || exponentSign(end))) {
      end++;
    }
    String number = text.substring(at, end);
    if (HEX_FLOAT.matcher(number).matches()) {
      problem("Lua 5.1 has no hexadecimal floating-point numbers: " + number);
    } else if (!NUMBER.matcher(number).matches()) {
      problem("malformed number " + number);
    }
    add(TokenKind.NUMBER, end);
  }

  private boolean exponentSign(int index) {
    boolean hexadecimal = text.startsWith("0x", at) || text.startsWith("0X", at);
    char before = text.charAt(Math.max(at, index - 1));
    return "+-".indexOf(text.charAt(index)) >= 0
        && !hexadecimal
        && (before == 'e' || before == 'E');
  }

  private void word() {
    int end = at;
    while (end < text.length() && word(text.charAt(end))) {
      end++;
    }
    boolean keyword = KEYWORDS.contains(text.substring(at, end));
    add(keyword ? TokenKind.KEYWORD : TokenKind.NAME, end);
  }

  private void symbol(char c) {
    String symbol = SYMBOLS.stream().filter(s -> text.startsWith(s, at)).findFirst().orElse("");
    if (symbol.isEmpty()) {
      problem(
          "unexpected character "
              + (c > 32 && c < 127 ? "'" + c + "'" : String.format("0x%02x", (int) c)));
      take(1);
      return;
    }
    if (LATER_SYMBOLS.contains(symbol)) {
      problem("Lua 5.1 has no operator " + symbol);
    }
    add(TokenKind.SYMBOL, at + symbol.length());
  }

  /** The level of the long bracket that opens at an index, or -1. */
  private int longBracket(int index) {
    int end = index + 1;
    while (end < text.length() && text.charAt(end) == '=') {
      end++;
    }
    boolean opens = index < text.length() && text.charAt(index) == '[' && text.startsWith("[", end);
    return opens ? end - index - 1 : -1;
  }

  private int longEnd(int index, String kind) {
    String close = "]" + "=".repeat(longBracket(index)) + "]";
    int end = text.indexOf(close, index);
    if (end < 0) {
      problem("a " + kind + " in long brackets is not closed");
      return text.length();
    }
    if (close.equals("]]")
        && text.indexOf("[[", index + 2) >= 0
        && text.indexOf("[[", index + 2) < end) {
      problem("Lua 5.1 has no '[[' inside a " + kind + " in long brackets: use [=[ ... ]=]");
    }
    return end + close.length();
  }

  private int lineEnd(int index) {
    int end = text.indexOf('\n', index);
    return end < 0 ? text.length() : end;
  }

  private void add(TokenKind kind, int end) {
    tokens.add(new Token(kind, text.substring(at, end), line, at));
    take(end - at);
  }

  private void take(int length) {
    line += (int) text.substring(at, at + length).chars().filter(c -> c == '\n').count();
    at += length;
  }

  private void problem(String message) {
    problems.add(new SyntaxProblem(line, message));
  }

  private static boolean digit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean letter(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
  }

  private static boolean word(char c) {
    return letter(c) || digit(c);
  }
}
