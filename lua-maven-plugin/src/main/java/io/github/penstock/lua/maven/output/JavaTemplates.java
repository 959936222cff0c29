package io.github.penstock.lua.maven.output;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fills the templates of Java sources: every {@code ${name}} in them becomes a value. */
final class JavaTemplates {
  private static final Pattern PLACE = Pattern.compile("\\$\\{(\\w+)}");
  private static final int LITERAL = 88;

  /* A class file holds constants of up to 65,535 bytes. */
  private static final int CONSTANT = 65_000;

  private final Map<String, String> common;

  JavaTemplates(Map<String, String> common) {
    this.common = common;
  }

  /** A template with its values in place. */
  String fill(String name, Map<String, String> values) {
    Map<String, String> all = new HashMap<>(common);
    all.putAll(values);
    return PLACE
        .matcher(read(name + ".template"))
        .replaceAll(m -> Matcher.quoteReplacement(all.get(m.group(1))));
  }

  private static String read(String resource) {
    try (@Nullable InputStream in = JavaTemplates.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("missing from the plugin: " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A text as a Java expression, over as many lines as it takes. */
  static String literal(String text) {
    if (text.length() > CONSTANT) {
      String rest = literal(text.substring(CONSTANT));
      return "(" + literal(text.substring(0, CONSTANT)) + ")\n          .concat(" + rest + ")";
    }
    StringBuilder literal = new StringBuilder("\"");
    int start = 0;
    for (char c : text.toCharArray()) {
      if (literal.length() - start > LITERAL) {
        literal.append("\"\n          + \"");
        start = literal.length();
      }
      literal.append(escaped(c));
    }
    return literal.append('"').toString();
  }

  private static String escaped(char c) {
    return switch (c) {
      case '"' -> "\\\"";
      case '\\' -> "\\\\";
      case '\n' -> "\\n";
      case '\t' -> "\\t";
      default -> c < ' ' ? String.format("\\%03o", (int) c) : String.valueOf(c);
    };
  }

  /** A text as HTML in a comment; words in backticks become code. */
  static String html(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("@", "&#64;")
        .replace("*/", "*&#47;")
        .replace("{", "&#123;")
        .replaceAll("`([^`]+)`", "<code>$1</code>");
  }
}
