package io.github.penstock.lua.maven.script;

import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.Expression;
import io.github.penstock.lua.maven.syntax.Lexer;
import io.github.penstock.lua.maven.syntax.Parser;
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
  private final Set<Problem> problems;
  private final Optional<String> peek;
  private final Flattener flattener;

  /**
   * For the scripts of a directory.
   *
   * @param directory where {@code *.lua} and the folder {@code include} are
   * @param peek what stands for the row {@code Peek} in headers without one
   * @param problems takes what is wrong
   */
  public ScriptReader(Path directory, Optional<String> peek, Set<Problem> problems) {
    this.peek = peek;
    this.directory = directory;
    this.problems = problems;
    this.flattener = new Flattener(directory, problems);
  }

  /** The scripts that broke no rule, by name. */
  public List<Script> read() throws IOException {
    List<Script> scripts = new ArrayList<>();
    for (String name : names(directory)) {
      check(name).ifPresent(scripts::add);
    }
    if (names(directory).isEmpty()) {
      problem("", "name", "there are no scripts: *.lua");
    }
    return scripts;
  }

  /** The includes that no script uses. */
  public SortedSet<String> unusedIncludes() throws IOException {
    Path includes = directory.resolve("include");
    SortedSet<String> unused = Files.isDirectory(includes) ? names(includes) : new TreeSet<>();
    unused.removeAll(flattener.used());
    return unused;
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

  private Optional<Script> check(String name) {
    if (!NAME.matcher(name).matches()) {
      problem("/" + name + ".lua", "name", "a script is named in lower case, words joined by '-'");
    }
    int before = problems.size();
    FlatScript flat = flattener.flatten(name);
    Report report = flat.reportTo(problems);
    Parser.Result parsed = Parser.parse(flat.text());
    parsed.problems().forEach(p -> report.add(p.line(), "syntax", p.message() + flat.opened(p)));
    Header header = HeaderParser.parse(name, Lexer.read(flat.text()).comments(), peek, report);
    if (header == null) {
      return Optional.empty();
    }
    if (parsed.whole()) {
      checkWhole(parsed.chunk(), header, report);
    }
    SortedSet<String> commands = check(parsed.chunk(), header, report);
    Script script = new Script(name, header, flat.text(), parsed.chunk(), commands);
    return problems.size() == before ? Optional.of(script) : Optional.empty();
  }

  /** What could not be told from a script of which a statement is missing. */
  private static void checkWhole(Chunk chunk, Header header, Report report) {
    IndexCheck.check("KEYS", chunk, header, report);
    IndexCheck.check("ARGV", chunk, header, report);
    ReplyCheck.check(chunk, header, report);
  }

  private static SortedSet<String> check(Chunk chunk, Header header, Report report) {
    GlobalCheck.check(chunk, report, header.needs());
    chunk
        .statements()
        .flatMap(s -> s.expressions().stream())
        .flatMap(Chunk::parts)
        .filter(Expression.Vararg.class::isInstance)
        .forEach(
            v ->
                report.add(
                    v.line(), "syntax", "a script has no '...': Redis passes KEYS and ARGV"));
    DigitsCheck.check(chunk, report);
    return CommandCheck.commands(chunk, report);
  }

  private void problem(String file, String rule, String message) {
    problems.add(new Problem(directory.getFileName() + file, 1, rule, message));
  }
}
