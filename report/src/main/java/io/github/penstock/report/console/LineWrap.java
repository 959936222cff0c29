package io.github.penstock.report.console;

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
      String word = unbroken.replace('\u00a0', ' ');
      if (line.length() + separator.length() + word.length() > TerminalWidth.columns()) {
        lines.add(line.toString());
        line = new StringBuilder(INDENT + INDENT);
        separator = "";
      }
      line.append(separator).append(word);
      separator = " ";
    }
    lines.add(line.toString());
    return lines;
  }
}
