package io.github.penstock.lua.maven.syntax;

/** Decodes a string of a script's source into its bytes. */
final class StringDecoder {
  private static final String ESCAPES = "abfnrtv";
  private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b";

  private StringDecoder() {}

  /** Decodes the source text of a string, quoted or in long brackets. */
  static String value(String source) {
    if (source.startsWith("[")) {
      int bracket = source.indexOf('[', 1) + 1;
      String inner = source.substring(bracket, Math.max(bracket, source.length() - bracket));
      return inner.startsWith("\n") ? inner.substring(1) : inner;
    }
    StringBuilder value = new StringBuilder();
    int at = 1;
    while (at < source.length() - 1) {
      at = source.charAt(at) == '\\' ? escape(source, at + 1, value) : plain(source, at, value);
    }
    return value.toString();
  }

  private static int plain(String source, int at, StringBuilder value) {
    value.append(source.charAt(at));
    return at + 1;
  }

  private static int escape(String source, int at, StringBuilder value) {
    int end = at;
    while (end < at + 3 && Character.isDigit(source.charAt(end))) {
      end++;
    }
    if (end > at) {
      value.append((char) Integer.parseInt(source.substring(at, end)));
      return end;
    }
    int known = ESCAPES.indexOf(source.charAt(at));
    value.append(known < 0 ? source.charAt(at) : ESCAPED.charAt(known));
    return at + 1;
  }
}
