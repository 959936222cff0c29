package io.github.penstock.lua.maven.header;

import io.github.penstock.lua.maven.rule.ViolationReport;
import io.github.penstock.lua.maven.syntax.Comment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header of an include: a sentence, then the rows {@code Takes}, {@code Reads} and {@code
 * Sets}.
 */
public final class IncludeHeaderParser {
  private static final String RULE = "header";
  private static final Map<String, Pattern> ROWS =
      Map.of(
          "Takes", Pattern.compile("[a-z][a-z0-9_]*"),
          "Reads", Pattern.compile("[A-Za-z_][A-Za-z0-9_]*"),
          "Sets", Pattern.compile("[A-Za-z_][A-Za-z0-9_]*|\\$[a-z][a-z0-9_]*"));

  private final ViolationReport report;
  private final Map<String, NameRow> rows = new HashMap<>();

  private IncludeHeaderParser(ViolationReport report) {
    this.report = report;
  }

  /** Reads an include's header, or reports that there is none. */
  public static @Nullable IncludeHeader parse(
      String name, List<Comment> comments, ViolationReport report) {
    Comment first = comments.isEmpty() ? null : comments.get(0);
    if (first == null || !first.block() || first.line() != 1 || !first.alone()) {
      report.add(
          1,
          RULE,
          "an include opens with a block comment: a sentence, and the rows Reads and Sets");
      return null;
    }
    return new IncludeHeaderParser(report).read(name, first);
  }

  private IncludeHeader read(String name, Comment comment) {
    List<HeaderRow> all = HeaderRow.read(comment);
    HeaderRow sentence = all.isEmpty() ? new HeaderRow(List.of(""), 1, 1) : all.get(0);
    if (!sentence.last().startsWith(name + ": ") || !sentence.last().endsWith(".")) {
      report.add(
          sentence.line(),
          RULE,
          "the header begins with \"%s: what it does.\" and an empty line".formatted(name));
    }
    all.stream().skip(1).forEach(this::row);
    String[] lines = comment.text().split("\n", -1);
    return new IncludeHeader(
        sentence.line(),
        Arrays.stream(lines, sentence.line() - 1, sentence.lastLine())
            .map(line -> HeaderRow.withoutBrackets(line).strip())
            .toList(),
        comment.line() + lines.length - 1,
        named("Takes"),
        named("Reads"),
        named("Sets"));
  }

  private NameRow named(String label) {
    return rows.getOrDefault(label, NameRow.missing(label));
  }

  private void row(HeaderRow row) {
    Pattern pattern = ROWS.get(row.label());
    if (pattern == null) {
      report.add(
          row.line(),
          RULE,
          "unknown row " + row.label() + ": an include has Takes, Reads and Sets");
      return;
    }
    NameRow names = new NameRow(row.label(), new TreeSet<>(), row.line());
    String list = String.join(" ", row.columns().subList(1, row.columns().size()));
    for (String name : list.split(" ")) {
      if (!pattern.matcher(name).matches()) {
        report.add(row.line(), RULE, row.label() + " lists names, and this is not one: " + name);
      } else if (!names.names().add(name)) {
        report.add(row.line(), RULE, row.label() + " lists " + name + " twice");
      }
    }
    if (rows.put(row.label(), names) != null) {
      report.add(row.line(), RULE, "a second row " + row.label());
    }
  }
}
