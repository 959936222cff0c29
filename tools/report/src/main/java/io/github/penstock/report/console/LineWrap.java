package io.github.penstock.report.console;

import io.github.penstock.report.text.NameBreaks;
import io.github.penstock.report.text.NumberText;
import java.util.ArrayList;
import java.util.List;

/** Breaks text between words into lines that fit the terminal. */
public final class LineWrap {
  private static final String INDENT = "  ";

  private LineWrap() {}

  /** The lines of a text; those after the first are indented further. */
  public static List<String> lines(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(INDENT);
    String separator = "";
    for (String unbroken : NumberText.unbroken(text).split(" ")) {
      for (String part : parts(unbroken.replace('\u00a0', ' '))) {
        if (line.length() + separator.length() + part.length() > TerminalWidth.columns()) {
          lines.add(line.toString());
          line = new StringBuilder(INDENT + INDENT);
          separator = "";
        }
        line.append(separator).append(part);
        separator = "";
      }
      separator = " ";
    }
    lines.add(line.toString());
    return lines;
  }

  /* A name that is longer than a line goes on in the next. */
  private static List<String> parts(String word) {
    boolean fits = 2 * INDENT.length() + word.length() <= TerminalWidth.columns();
    return fits ? List.of(word) : NameBreaks.parts(word);
  }
}
