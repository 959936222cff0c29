package io.github.penstock.lua.maven.header;

import io.github.penstock.lua.maven.rule.ViolationReport;
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
public final class ScriptHeaderParser {
  static final String RULE = "header";
  private static final Set<String> NOTES =
      Set.of("Algorithm", "Source", "Complexity", "Mended", ScriptHeader.FLAGS);
  private static final Pattern SLOT =
      Pattern.compile("(KEYS|ARGV|Reply)\\[(?:(\\d{1,4})(?:\\.\\.(\\d{1,4}|n))?|n)]");
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");
  private static final Pattern NEEDS = Pattern.compile("Redis (\\d+\\.\\d+)");
  private static final Pattern PEEK = Pattern.compile("ARGV\\[(\\d{1,4})] is (-?\\d{1,15})");
  private static final Pattern FLAG = Pattern.compile("allow-oom|allow-stale|no-cluster");
  private static final Pattern REPEATED = Pattern.compile("\\brepeated\\b");

  private final String scriptName;
  private final ViolationReport report;
  private final Map<String, String> notes = new LinkedHashMap<>();
  private final List<HeaderSlot> slots = new ArrayList<>();
  private boolean singleReply;
  private @Nullable String needs;
  private @Nullable HeaderRow peek;
  private final TierRowParser tier;

  private ScriptHeaderParser(String scriptName, Optional<String> peek, ViolationReport report) {
    this.peek = peek.map(p -> new HeaderRow(List.of("Peek", p), 1, 1)).orElse(null);
    this.scriptName = scriptName;
    this.report = report;
    this.tier = new TierRowParser(report);
  }

  /**
   * Reads a script's header, or reports that there is none.
   *
   * @param peek the row {@code Peek} of a header without one
   */
  public static @Nullable ScriptHeader parse(
      String scriptName, List<Comment> comments, Optional<String> peek, ViolationReport report) {
    Comment first = comments.isEmpty() ? null : comments.get(0);
    if (first == null || !first.block() || first.line() != 1 || !first.alone()) {
      report.add(1, RULE, "a script opens with a block comment that describes it: --[[ ... ]]");
      return null;
    }
    return new ScriptHeaderParser(scriptName, peek, report).read(first);
  }

  private ScriptHeader read(Comment comment) {
    List<HeaderRow> rows = HeaderRow.read(comment);
    String description =
        description(rows.isEmpty() ? new HeaderRow(List.of(""), 1, 1) : rows.get(0));
    rows.stream().skip(1).forEach(this::row);
    List<HeaderSlot> replies = table("Reply");
    if (replies.isEmpty()) {
      problem(comment.line(), "the reply is not described: add a row  Reply[1]  name  description");
    }
    List<HeaderSlot> arguments = table("ARGV");
    return new ScriptHeader(
        description,
        notes,
        table("KEYS"),
        arguments,
        replies,
        singleReply,
        Optional.ofNullable(needs),
        peek == null ? Optional.empty() : peek(peek, arguments),
        tier.read(arguments));
  }

  private String description(HeaderRow first) {
    String text = first.last();
    String prefix = scriptName + ": ";
    if (!text.startsWith(prefix) || !text.endsWith(".")) {
      problem(first.line(), "the header begins with one sentence: \"" + prefix + "what it does.\"");
    }
    return text.startsWith(prefix) ? text.substring(prefix.length()).strip() : text;
  }

  private void row(HeaderRow row) {
    Matcher slot = SLOT.matcher(row.label());
    if (row.columns().size() < 2) {
      problem(row.line(), "a row has columns that are two or more spaces apart: " + row.label());
    } else if (slot.matches()) {
      slot(slot, row);
    } else if (row.label().equals("Reply")) {
      singleReply = true;
      named(row, "Reply", 1, 1, HeaderSlot.SlotForm.ONCE);
    } else if (row.label().equals("Needs")) {
      needs(row);
    } else if (row.label().equals("Peek")) {
      peek = row;
    } else if (TierRowParser.LABELS.contains(row.label())) {
      tier.add(row);
    } else if (!NOTES.contains(row.label())) {
      problem(row.line(), "unknown row " + row.label());
    } else if (row.label().equals(ScriptHeader.FLAGS) && !FLAG.matcher(row.last()).matches()) {
      problem(row.line(), "Flags names one flag of functions: Flags  allow-oom");
    } else if (notes.put(
            row.label(), String.join(" ", row.columns().subList(1, row.columns().size())))
        != null) {
      problem(row.line(), "a second row " + row.label());
    }
  }

  private void slot(Matcher label, HeaderRow row) {
    boolean optional = label.group(2) == null;
    boolean repeated = REPEATED.matcher(row.last()).find() && label.group(3) != null;
    int first = optional ? 0 : Integer.parseInt(label.group(2));
    if ("n".equals(label.group(3))) {
      int names = row.columns().size() < 2 ? 1 : row.columns().get(1).split(" ").length;
      named(row, label.group(1), first, first + names - 1, HeaderSlot.SlotForm.OPEN);
      return;
    }
    int last = label.group(3) == null ? first : Integer.parseInt(label.group(3));
    if (optional && (label.group(1).equals("Reply") || !row.last().startsWith("optional:"))) {
      problem(
          row.line(),
          "[n] is for a last key or argument, and its description begins \"optional:\"");
    }
    HeaderSlot.SlotForm form =
        optional
            ? HeaderSlot.SlotForm.OPTIONAL
            : repeated ? HeaderSlot.SlotForm.REPEATED : HeaderSlot.SlotForm.ONCE;
    named(row, label.group(1), first, last, form);
  }

  private void named(HeaderRow row, String table, int first, int last, HeaderSlot.SlotForm form) {
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
    slots.add(new HeaderSlot(table, first, last, names, row.last(), form, row.line()));
  }

  private void needs(HeaderRow row) {
    Matcher matcher = NEEDS.matcher(row.columns().get(1));
    if (matcher.matches()) {
      needs = matcher.group(1);
    } else {
      problem(row.line(), "Needs names the oldest Redis: Needs  Redis 7.0");
    }
  }

  private Optional<ScriptHeader.PeekArgument> peek(HeaderRow row, List<HeaderSlot> arguments) {
    Matcher matcher = PEEK.matcher(row.columns().get(1));
    if (!matcher.matches()) {
      problem(row.line(), "Peek names an argument and an integer: Peek  ARGV[1] is 0");
      return Optional.empty();
    }
    int index = Integer.parseInt(matcher.group(1));
    Optional<HeaderSlot> slot = arguments.stream().filter(s -> s.covers(index)).findFirst();
    if (slot.isEmpty()) {
      problem(row.line(), "Peek names ARGV[" + index + "], which no row describes");
    }
    return slot.map(
        s ->
            new ScriptHeader.PeekArgument(
                index, s.names().get(index - s.first()), Long.parseLong(matcher.group(2))));
  }

  /** The rows of a table, checked to be in order and without a gap. */
  private List<HeaderSlot> table(String table) {
    List<HeaderSlot> rows = slots.stream().filter(s -> s.table().equals(table)).toList();
    Set<String> names = new HashSet<>();
    int next = 1;
    HeaderSlot.SlotForm before = HeaderSlot.SlotForm.ONCE;
    for (HeaderSlot slot : rows) {
      boolean optional =
          slot.form() == HeaderSlot.SlotForm.OPTIONAL && before != HeaderSlot.SlotForm.OPTIONAL;
      if (optional && before == HeaderSlot.SlotForm.REPEATED && single(rows)) {
        problem(slot.line(), slot.label() + " cannot be told from a repeated group of one value");
      }
      if (!optional && (before != HeaderSlot.SlotForm.ONCE || slot.first() != next)) {
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

  private static boolean single(List<HeaderSlot> rows) {
    return rows.stream().anyMatch(s -> s.form() == HeaderSlot.SlotForm.REPEATED && s.size() == 1);
  }

  private void problem(int line, String message) {
    report.add(line, RULE, message);
  }
}
