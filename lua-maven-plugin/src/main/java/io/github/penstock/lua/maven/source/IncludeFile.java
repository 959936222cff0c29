package io.github.penstock.lua.maven.source;

import io.github.penstock.lua.maven.header.IncludeHeader;
import io.github.penstock.lua.maven.header.IncludeHeaderParser;
import io.github.penstock.lua.maven.rule.RuleViolation;
import io.github.penstock.lua.maven.syntax.Lexer;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An include as it is written.
 *
 * @param name its name, which scripts include it by
 * @param file its text
 * @param header its header; null if it has none
 */
public record IncludeFile(String name, SourceFile file, @Nullable IncludeHeader header) {
  private static final String RULE = "header";

  /** Reads an include and reports the mistakes in its header. */
  static IncludeFile read(
      String name, SourceFile file, ScriptConstants constants, Set<RuleViolation> problems) {
    IncludeHeader header =
        IncludeHeaderParser.parse(
            name,
            Lexer.read(file.text()).comments(),
            (line, rule, message) -> problems.add(file.origin(line).violation(rule, message)));
    IncludeFile include = new IncludeFile(name, file, header);
    if (header != null) {
      include.check(header, constants, problems);
    }
    return include;
  }

  private void check(IncludeHeader header, ScriptConstants constants, Set<RuleViolation> problems) {
    String closing = file.lines().get(header.end() - 1);
    if (!closing.stripTrailing().endsWith("]")) {
      problems.add(
          file.origin(header.end()).violation(RULE, "code begins on the line after the header"));
    }
    LineOrigin row = file.origin(header.takes().line());
    SortedSet<String> unused = new TreeSet<>(header.takes().names());
    unused.removeAll(PlaceholderPattern.names(body()));
    for (String name : unused) {
      problems.add(
          row.violation(
              RULE, "Takes lists " + name + ", but there is no $" + name + " in the code"));
    }
    for (String name : header.takes().names()) {
      if (constants.value(name) != null) {
        problems.add(row.violation(RULE, "the parameter " + name + " has the name of a constant"));
      }
    }
  }

  /** The names of its parameters. */
  SortedSet<String> parameters() {
    return header == null ? new TreeSet<>() : header.takes().names();
  }

  /** The number of lines that its header takes. */
  int headerLines() {
    return header == null ? 0 : header.end();
  }

  /** The place of a line (from 1) of it. */
  public LineOrigin origin(int line) {
    return file.origin(line);
  }

  private List<String> body() {
    return file.lines().subList(headerLines(), file.lines().size());
  }
}
