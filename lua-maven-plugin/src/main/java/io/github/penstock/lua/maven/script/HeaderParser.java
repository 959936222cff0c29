package io.github.penstock.lua.maven.script;

import io.github.penstock.lua.maven.syntax.Comment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header of a script: a sentence, then rows whose columns are two or more spaces apart.
 */
final class HeaderParser {
  private static final String RULE = "header";
  private static final Set<String> NOTES = Set.of("Algorithm", "Source", "Complexity");
  private static final Pattern SLOT =
      Pattern.compile("(KEYS|ARGV|Reply)\\[(?:(\\d{1,4})(?:\\.\\.(\\d{1,4}))?|n)]");
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");
  private static final Pattern NEEDS = Pattern.compile("Redis (\\d+\\.\\d+)");
  private static final Pattern PEEK = Pattern.compile("ARGV\\[(\\d{1,4})] is (-?\\d{1,15})");
  private static final Pattern REPEATED = Pattern.compile("\\brepeated\\b");

  private final String scriptName;
  private final Report report;
  private final Map<String, String> notes = new LinkedHashMap<>();
  private final List<Slot> slots = new ArrayList<>();
  private boolean singleReply;
  private @Nullable String needs;
  private @Nullable Row peek;

  private HeaderParser(String scriptName, Optional<String> peek, Report report) {
    this.peek = peek.map(p -> new Row(List.of("Peek", p), 1)).orElse(null);
    this.scriptName = scriptName;
    this.report = report;
  }

  /** One row: its columns and its line. */
  private record Row(List<String> columns, int line) {
    String label() {
      return columns.get(0);
    }

    String last() {
      return columns.get(columns.size() - 1);
    }

    Row continued(String text) {
      List<String> longer = new ArrayList<>(columns);
      longer.set(columns.size() - 1, last() + " " + text);
      return new Row(longer, line);
    }
  }

  /**
   * Reads a script's header, or reports that there is none.
   *
   * @param peek what stands for the row {@code Peek} where there is none
   */
  static @Nullable Header parse(
      String scriptName, List<Comment> comments, Optional<String> peek, Report report) {
    Comment first = comments.isEmpty() ? null : comments.get(0);
    if (first == null || !first.block() || first.line() != 1 || !first.alone()) {
      report.add(1, RULE, "a script opens with a block comment that describes it: --[[ ... ]]");
      return null;
    }
    return new HeaderParser(scriptName, peek, report).read(first);
  }

  private Header read(Comment comment) {
    List<Row> rows = rows(comment);
    String description = description(rows.isEmpty() ? new Row(List.of(""), 1) : rows.get(0));
    rows.stream().skip(1).forEach(this::row);
    List<Slot> replies = table("Reply");
    if (replies.isEmpty()) {
      problem(comment.line(), "no row says what the script replies: Reply[1]  name  description");
    }
    List<Slot> arguments = table("ARGV");
    return new Header(
        description,
        notes,
        table("KEYS"),
        arguments,
        replies,
        singleReply,
        Optional.ofNullable(needs),
        peek == null ? Optional.empty() : peek(peek, arguments));
  }

  /** The sentence and the rows, each with the lines that continue it. */
  private static List<Row> rows(Comment comment) {
    String[] lines = comment.text().split("\n", -1);
    List<Row> rows = new ArrayList<>();
    int base = -1;
    boolean sentence = true;
    for (int i = 0; i < lines.length; i++) {
      String text = lines[i].replaceFirst("^--\\[=*\\[", "").replaceFirst("]=*]$", "");
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
        rows.add(new Row(columns, comment.line() + i));
      }
    }
    return rows;
  }

  private String description(Row first) {
    String text = first.last();
    String prefix = scriptName + ": ";
    if (!text.startsWith(prefix) || !text.endsWith(".")) {
      problem(first.line(), "the header begins with one sentence: \"" + prefix + "what it does.\"");
    }
    return text.startsWith(prefix) ? text.substring(prefix.length()).strip() : text;
  }

  private void row(Row row) {
    Matcher slot = SLOT.matcher(row.label());
    if (row.columns().size() < 2) {
      problem(row.line(), "a row has columns that are two or more spaces apart: " + row.label());
    } else if (slot.matches()) {
      slot(slot, row);
    } else if (row.label().equals("Reply")) {
      singleReply = true;
      named(row, "Reply", 1, 1, Slot.Form.ONCE);
    } else if (row.label().equals("Needs")) {
      needs(row);
    } else if (row.label().equals("Peek")) {
      peek = row;
    } else if (!NOTES.contains(row.label())) {
      problem(row.line(), "unknown row " + row.label());
    } else if (notes.put(
            row.label(), String.join(" ", row.columns().subList(1, row.columns().size())))
        != null) {
      problem(row.line(), "a second row " + row.label());
    }
  }

  private void slot(Matcher label, Row row) {
    boolean optional = label.group(2) == null;
    boolean repeated = REPEATED.matcher(row.last()).find() && label.group(3) != null;
    int first = optional ? 0 : Integer.parseInt(label.group(2));
    int last = label.group(3) == null ? first : Integer.parseInt(label.group(3));
    if (optional && (!label.group(1).equals("ARGV") || !row.last().startsWith("optional:"))) {
      problem(
          row.line(), "[n] is for a last argument only, and its description begins \"optional:\"");
    }
    Slot.Form form = optional ? Slot.Form.OPTIONAL : repeated ? Slot.Form.REPEATED : Slot.Form.ONCE;
    named(row, label.group(1), first, last, form);
  }

  private void named(Row row, String table, int first, int last, Slot.Form form) {
    if (row.columns().size() != 3) {
      problem(row.line(), row.label() + " needs three columns: index, name, description");
      return;
    }
    List<String> names = List.of(row.columns().get(1).split(" "));
    if (names.size() != last - first + 1) {
      problem(
          row.line(), row.label() + " needs " + (last - first + 1) + " names, not " + names.size());
    }
    names.stream()
        .filter(n -> !NAME.matcher(n).matches())
        .forEach(n -> problem(row.line(), "a name has lower-case letters, digits and '_': " + n));
    slots.add(new Slot(table, first, last, names, row.last(), form, row.line()));
  }

  private void needs(Row row) {
    Matcher matcher = NEEDS.matcher(row.columns().get(1));
    if (matcher.matches()) {
      needs = matcher.group(1);
    } else {
      problem(row.line(), "Needs names the oldest Redis: Needs  Redis 7.0");
    }
  }

  private Optional<Header.Peek> peek(Row row, List<Slot> arguments) {
    Matcher matcher = PEEK.matcher(row.columns().get(1));
    if (!matcher.matches()) {
      problem(row.line(), "Peek names an argument and an integer: Peek  ARGV[1] is 0");
      return Optional.empty();
    }
    int index = Integer.parseInt(matcher.group(1));
    Optional<Slot> slot = arguments.stream().filter(s -> s.covers(index)).findFirst();
    if (slot.isEmpty()) {
      problem(row.line(), "Peek names ARGV[" + index + "], which no row describes");
    }
    return slot.map(
        s ->
            new Header.Peek(
                index, s.names().get(index - s.first()), Long.parseLong(matcher.group(2))));
  }

  /** The rows of a table, checked to be in order and without a gap. */
  private List<Slot> table(String table) {
    List<Slot> rows = slots.stream().filter(s -> s.table().equals(table)).toList();
    Set<String> names = new HashSet<>();
    int next = 1;
    Slot.Form before = Slot.Form.ONCE;
    for (Slot slot : rows) {
      boolean optional = slot.form() == Slot.Form.OPTIONAL && before != Slot.Form.OPTIONAL;
      if (!optional && (before != Slot.Form.ONCE || slot.first() != next)) {
        problem(slot.line(), slot.label() + " is out of order");
      }
      slot.names().stream()
          .filter(n -> !names.add(n))
          .forEach(n -> problem(slot.line(), "a second " + table + " named " + n));
      next = slot.last() + 1;
      before = slot.form();
    }
    return rows;
  }

  private void problem(int line, String message) {
    report.add(line, RULE, message);
  }
}
