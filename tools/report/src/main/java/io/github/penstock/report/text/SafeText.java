package io.github.penstock.report.text;

import java.util.Locale;

/** Text that somebody else may have written, made harmless where it is shown. */
public final class SafeText {
  private static final int LONGEST = 80;

  private SafeText() {}

  /** With everything that has a meaning in HTML and SVG written so that it has none. */
  public static String html(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** Without control sequences of terminals, and of {@value #LONGEST} characters at most. */
  public static String terminal(String text) {
    return terminal(text, LONGEST);
  }

  /** The variant with another length. */
  public static String terminal(String text, int longest) {
    StringBuilder safe = new StringBuilder();
    for (int i = 0; i < text.length() && safe.length() < longest; i++) {
      char c = text.charAt(i);
      boolean harmless = c >= ' ' && c < 0x7f || c >= 0xa0 && Character.isLetterOrDigit(c);
      safe.append(harmless ? String.valueOf(c) : String.format(Locale.ROOT, "\\u%04x", (int) c));
    }
    return safe.length() >= longest ? safe.substring(0, longest - 3) + "..." : safe.toString();
  }
}
