package io.github.penstock.core.http;

import java.util.Base64;

/** Formats values of structured fields (RFC 9651) and strings of JSON (RFC 8259). */
final class FieldText {
  private static final char REPLACEMENT = '\ufffd';

  private FieldText() {}

  /**
   * Formats a string of a structured field.
   *
   * @throws IllegalArgumentException if {@code text} is empty or contains a character that is not
   *     printable ASCII
   */
  static String string(String parameter, String text) {
    if (text.isEmpty() || !text.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
      throw new IllegalArgumentException(
          parameter + " must be printable ASCII of at least one character: \"" + text + "\"");
    }
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Formats a byte sequence of a structured field. */
  static String bytes(byte[] bytes) {
    return ":" + Base64.getEncoder().encodeToString(bytes) + ":";
  }

  /** Converts a time to whole seconds, rounded up. */
  static long seconds(long micros) {
    return micros / 1_000_000 + (micros % 1_000_000 > 0 ? 1 : 0);
  }

  /**
   * Formats a JSON string in ASCII; an unpaired surrogate becomes U+FFFD, because it has no UTF-8
   * form.
   */
  static String json(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c >= ' ' && c < 0x7f) {
        json.append(c);
      } else {
        json.append(String.format("\\u%04x", (int) (isHalf(text, i) ? REPLACEMENT : c)));
      }
    }
    return json.append('"').toString();
  }

  private static boolean isHalf(String text, int at) {
    char c = text.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
    }
    return Character.isLowSurrogate(c)
        && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }
}
