package io.github.penstock.benchmarks.report;

/** Text in HTML. */
final class Html {
  private Html() {}

  /** The text with everything that has a meaning in HTML written so that it has none. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
