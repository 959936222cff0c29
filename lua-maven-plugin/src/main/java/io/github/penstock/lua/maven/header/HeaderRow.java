package io.github.penstock.lua.maven.header;

import io.github.penstock.lua.maven.syntax.Comment;
import java.util.ArrayList;
import java.util.List;

/**
 * A row of a header: its columns stand two or more spaces apart, and a line that is indented deeper
 * continues it. The first row is the sentence, which is one column and ends before an empty line.
 *
 * @param columns its columns, at least one
 * @param line the line (from 1) on which it begins
 * @param lastLine the line on which it ends
 */
public record HeaderRow(List<String> columns, int line, int lastLine) {
  /** The first column, which names the kind of the row. */
  String label() {
    return columns.get(0);
  }

  String last() {
    return columns.get(columns.size() - 1);
  }

  private HeaderRow continued(String text) {
    List<String> longer = new ArrayList<>(columns);
    longer.set(columns.size() - 1, last() + " " + text);
    return new HeaderRow(longer, line, lastLine + 1);
  }

  /** The sentence and the rows of a comment; nothing if the comment is empty. */
  static List<HeaderRow> read(Comment comment) {
    String[] lines = comment.text().split("\n", -1);
    List<HeaderRow> rows = new ArrayList<>();
    int base = -1;
    boolean sentence = true;
    for (int i = 0; i < lines.length; i++) {
      String text = withoutBrackets(lines[i]);
      int indent = text.length() - text.stripLeading().length();
      if (text.isBlank()) {
        sentence = sentence && rows.isEmpty();
      } else if (!rows.isEmpty() && (sentence || indent > base)) {
        rows.set(rows.size() - 1, rows.get(rows.size() - 1).continued(text.strip()));
      } else {
        base =
            rows.isEmpty() && i > 0
                ? indent
                : base < 0 ? Integer.MAX_VALUE : Math.min(base, indent);
        List<String> columns =
            rows.isEmpty() ? List.of(text.strip()) : List.of(text.strip().split(" {2,}"));
        rows.add(new HeaderRow(columns, comment.line() + i, comment.line() + i));
      }
    }
    return rows;
  }

  /** A line of a header without the long brackets around it all. */
  static String withoutBrackets(String line) {
    return line.replaceFirst("^--\\[=*\\[", "").replaceFirst("]=*]$", "");
  }
}
