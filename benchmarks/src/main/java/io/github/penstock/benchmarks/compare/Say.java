package io.github.penstock.benchmarks.compare;

import java.util.Locale;

/** Numbers and foreign text as a reader gets to see them. */
final class Say {
  private static final int LONGEST = 80;

  private Say() {}

  /** With commas: 1,234. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** With what is counted, which gets an s unless it is one: 1 request, 1,234 requests. */
  static String count(long number, String what) {
    return count(number) + " " + what + (number == 1 ? "" : "s");
  }

  /** A part of a whole in percent, never rounded to none or all. */
  static String percent(long part, long whole) {
    if (whole == 0 || part == 0) {
      return "0 %";
    }
    if (part == whole) {
      return "100 %";
    }
    double percent = 100.0 * part / whole;
    if (percent < 0.01) {
      return "under 0.01 %";
    }
    String format =
        percent < 0.1 || percent >= 99.95 ? "%.2f %%" : percent < 10 ? "%.1f %%" : "%.0f %%";
    String text = String.format(Locale.ROOT, format, percent);
    return part < whole && text.startsWith("100") ? "over 99.99 %" : text;
  }

  /** What somebody else wrote, without what a terminal would obey, and not too long. */
  static String foreign(String text) {
    return foreign(text, LONGEST);
  }

  /** The same, with another length. */
  static String foreign(String text, int longest) {
    StringBuilder safe = new StringBuilder();
    for (int i = 0; i < text.length() && safe.length() < longest; i++) {
      char c = text.charAt(i);
      boolean harmless = c >= ' ' && c < 0x7f || c >= 0xa0 && Character.isLetterOrDigit(c);
      safe.append(harmless ? String.valueOf(c) : String.format(Locale.ROOT, "\\u%04x", (int) c));
    }
    return safe.length() >= longest ? safe.substring(0, longest - 3) + "..." : safe.toString();
  }
}
