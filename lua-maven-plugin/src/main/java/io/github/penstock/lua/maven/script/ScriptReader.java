package io.github.penstock.lua.maven.script;

import io.github.penstock.lua.maven.check.CommandCheck;
import io.github.penstock.lua.maven.check.DigitsCheck;
import io.github.penstock.lua.maven.check.GlobalCheck;
import io.github.penstock.lua.maven.check.IncludeNameCheck;
import io.github.penstock.lua.maven.check.IndexCheck;
import io.github.penstock.lua.maven.check.ReplyCheck;
import io.github.penstock.lua.maven.check.TierCheck;
import io.github.penstock.lua.maven.header.ScriptHeader;
import io.github.penstock.lua.maven.header.ScriptHeaderParser;
import io.github.penstock.lua.maven.rule.RuleViolation;
import io.github.penstock.lua.maven.rule.ViolationReport;
import io.github.penstock.lua.maven.source.FlatScript;
import io.github.penstock.lua.maven.source.IncludeLibrary;
import io.github.penstock.lua.maven.source.ScriptFlattener;
import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.Expression;
import io.github.penstock.lua.maven.syntax.Parser;
import io.github.penstock.lua.maven.syntax.SyntaxProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the scripts of a directory and checks each against every rule. */
public final class ScriptReader {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

  private final Path directory;
  private final Set<RuleViolation> problems;
  private final Optional<String> peek;
  private final IncludeLibrary library;
  private final ScriptFlattener flattener;

  /**
   * Opens a directory of scripts.
   *
   * @param directory where {@code *.lua} are
   * @param includeDirectory where their includes and constants are; there may be no such directory
   * @param peek the row {@code Peek} of headers without one
   * @param problems takes the rules that are broken
   */
  public ScriptReader(
      Path directory, Path includeDirectory, Optional<String> peek, Set<RuleViolation> problems) {
    this.peek = peek;
    this.directory = directory;
    this.problems = problems;
    this.library = new IncludeLibrary(includeDirectory, problems);
    this.flattener = new ScriptFlattener(directory, library, problems);
  }

  /** The scripts that broke no rule, by name. */
  public List<CheckedScript> read() throws IOException {
    List<CheckedScript> scripts = new ArrayList<>();
    for (String name : names(directory)) {
      check(name).ifPresent(scripts::add);
    }
    if (names(directory).isEmpty()) {
      problem("", "name", "there are no scripts: *.lua");
    }
    library.checkConstants();
    return scripts;
  }

  /** The includes that nothing includes. */
  public SortedSet<String> unusedIncludes() throws IOException {
    return library.unusedIncludes();
  }

  private static SortedSet<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      SortedSet<String> names = new TreeSet<>();
      files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".lua"))
          .forEach(file -> names.add(file.substring(0, file.length() - 4)));
      return names;
    }
  }

  private Optional<CheckedScript> check(String name) {
    if (!NAME.matcher(name).matches()) {
      problem("/" + name + ".lua", "name", "a script is named in lower case, words joined by '-'");
    }
    int before = problems.size();
    FlatScript flat = flattener.flatten(name);
    ViolationReport report = flat.reportTo(problems);
    Chunk chunk;
    try {
      chunk = Parser.parse(flat.text());
    } catch (SyntaxProblem p) {
      report.add(p.line(), "syntax", p.getMessage() + flat.opened(p));
      return Optional.empty();
    }
    ScriptHeader header = ScriptHeaderParser.parse(name, chunk.comments(), peek, report);
    if (header == null) {
      return Optional.empty();
    }
    SortedSet<String> commands = check(chunk, header, report);
    IncludeNameCheck.check(flat, chunk, problems);
    CheckedScript script = new CheckedScript(name, header, flat.text(), chunk, commands);
    return problems.size() == before ? Optional.of(script) : Optional.empty();
  }

  private static SortedSet<String> check(Chunk chunk, ScriptHeader header, ViolationReport report) {
    IndexCheck.check("KEYS", chunk, header, report);
    IndexCheck.check("ARGV", chunk, header, report);
    ReplyCheck.check(chunk, header, report);
    TierCheck.check(chunk, header, report);
    GlobalCheck.check(chunk, report, header.needs());
    chunk
        .statements()
        .flatMap(s -> s.expressions().stream())
        .flatMap(Chunk::parts)
        .filter(Expression.VarargExpression.class::isInstance)
        .forEach(
            v ->
                report.add(
                    v.line(), "syntax", "a script has no '...': Redis passes KEYS and ARGV"));
    DigitsCheck.check(chunk, report);
    return CommandCheck.commands(chunk, report);
  }

  private void problem(String file, String rule, String message) {
    problems.add(new RuleViolation(directory.getFileName() + file, 1, rule, message));
  }
}
