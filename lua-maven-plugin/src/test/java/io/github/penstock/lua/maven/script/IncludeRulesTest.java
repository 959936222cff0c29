package io.github.penstock.lua.maven.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.lua.maven.rule.RuleViolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds an include's rows against its code; {@code ~} in these tests is the end of a line. */
class IncludeRulesTest {
  private static final String SCRIPT =
      """
      --[[
        job: does it.

        Reply  one  units
      ]]
      local a, b, total = 1, 2
      """;
  private static final String RETURN = "return 1\n";

  @TempDir Path root;

  @ParameterizedTest
  @DisplayName("rows that say what the include does are right")
  @CsvSource(
      delimiter = '!',
      value = {
        "Reads  a b~Sets   sum! local sum = a + b",
        "Reads  a~Sets   total! total = a",
        "Reads  a total~Sets   total! total = total + a",
        "Sets   f! local function f(n) return n and f(n) end",
        "Reads  a~Sets   f! local f = function(n) return a + n end",
        "Reads  a! if a then local c = a while c do c = nil end end",
        "Reads  a! for i = 1, a do local c = i redis.log(1, c) end",
        "Reads  a~Sets   total! redis.log(1, total) do total = a end",
        "Reads  a! redis.log(1, redis, string, KEYS[1], a.b)",
        "Reads  a! redis.log(1, {b = a}, a.b, a:b())",
      })
  void right(String rows, String code) throws IOException {
    String complete =
        code.contains("(1, total)") ? rows.replace("Reads  a", "Reads  a total") : rows;
    assertThat(problems("", complete, code)).noneMatch(p -> p.contains(": names: "));
  }

  @ParameterizedTest
  @DisplayName("a name that a row lacks is an error where it stands, one too many at the row")
  @CsvSource(
      delimiter = '!',
      value = {
        "Sets   sum! local sum = a! 6: a is read here: add it to the row Reads",
        "Reads  a b~Sets   sum! local sum = a! 4: Reads lists b, which is not read here: remove it",
        "Reads  a total~Sets   total! total = a! 4: Reads lists total, which is not read here: remove it",
        "Reads  a! local sum = a! 6: sum is left behind here: add it to the row Sets, or keep it in a block",
        "Reads  a! local function f() return a end! 6: f is left behind here: add it to the row Sets, or keep it in a block",
        "Reads  a! total = a! 6: total is left behind here: add it to the row Sets, or keep it in a block",
        "Reads  a! if a then total = a end! 6: total is left behind here: add it to the row Sets, or keep it in a block",
        "Reads  a! local f = nil f = function() total = a end! 6: total is left behind here: add it to the row Sets, or keep it in a block",
        "Reads  a~Sets   sum! do local sum = a end! 5: Sets lists sum, which is not left behind here: remove it",
        "Reads  a~Sets   b! redis.log(1, a)! 5: Sets lists b, which is not left behind here: remove it",
        "Reads  a~Sets   redis! redis.log(1, a)! 5: Sets lists redis, which is not left behind here: remove it",
        "Reads  a~Sets   $x! redis.log(1, a)! 5: Sets lists $x, which is not left behind here: remove it",
      })
  void wrong(String rows, String code, String message) throws IOException {
    int at = message.indexOf(':');
    int line = Integer.parseInt(message.substring(0, at).strip());
    int shifted = line == 6 && rows.contains("~") ? 7 : line;
    assertThat(problems("", rows, code))
        .contains("lua/include/part.lua:" + shifted + ": names:" + message.substring(at + 1));
  }

  @Test
  @DisplayName("text that is handed to a parameter is read by the one who wrote it")
  void handed() throws IOException {
    assertThat(problems(" x=\"a + b\"", "Takes  x~Sets   sum", "local sum = $x")).isEmpty();
    write("include/outer", header("outer", "Reads  a~Sets   sum") + "--- @include \"part\" x=a\n");
    write("job", SCRIPT + "--- @include \"outer\"\n" + RETURN);
    assertThat(read()).isEmpty();
    write("include/outer", header("outer", "Sets   sum") + "--- @include \"part\" x=a\n");
    assertThat(read())
        .containsExactly("lua/include/part.lua:7: names: a is read here: add it to the row Reads");
  }

  @ParameterizedTest
  @DisplayName("a variable that a parameter names is left behind as $name")
  @CsvSource(
      delimiter = '!',
      value = {"local $x = a! c", "$x = a! total", "local function f() $x = a end f()! total"})
  void named(String code, String argument) throws IOException {
    String f = code.contains("function") ? " f" : "";
    assertThat(problems(" x=" + argument, "Takes  x~Reads  a~Sets   $x" + f, code)).isEmpty();
    assertThat(problems(" x=" + argument, "Takes  x~Reads  a~Sets  " + f + " y", code))
        .contains(
            "lua/include/part.lua:8: names: $x is left behind here: add it to the row Sets, or keep it in a block");
  }

  @Test
  @DisplayName("an include that passes the parameter on leaves it behind, too")
  void passedOn() throws IOException {
    write("include/part", header("part", "Takes  x~Sets   $x") + "local $x = 1\n");
    write("include/outer", header("outer", "Takes  y~Sets   $y") + "--- @include \"part\" x=$y\n");
    write("job", SCRIPT + "--- @include \"outer\" y=c\n" + RETURN);
    assertThat(read()).isEmpty();
  }

  @Test
  @DisplayName("a parameter's text never means a variable of the include")
  void captured() throws IOException {
    assertThat(problems(" x=a", "Takes  x~Sets   b", "local b = 1~redis.log(b, $x)"))
        .noneMatch(p -> p.contains("of that name"));
    assertThat(problems(" x=c", "Takes  x~Sets   c", "local c = 1~redis.log(c, $x)"))
        .containsExactly(
            "lua/job.lua:7: names: the text of x names c, but \"part\" has a variable of that name");
  }

  @Test
  @DisplayName("what an include leaves behind hides nothing, not even when it comes twice")
  void hides() throws IOException {
    assertThat(problems("", "Sets   a", "local a = 1"))
        .containsExactly(
            "lua/include/part.lua:6: names: the local a hides the one of lua/job.lua:6: give it another name");
    write("include/part", header("part", "Sets   c") + "local c = 1\n");
    write("job", SCRIPT + "--- @include \"part\"\n--- @include \"part\"\n" + RETURN);
    assertThat(read())
        .containsExactly(
            "lua/include/part.lua:6: names: the local c hides the one of lua/include/part.lua:6: give it another name");
    write(
        "job",
        SCRIPT + "do\n--- @include \"part\"\nend\ndo\n--- @include \"part\"\nend\n" + RETURN);
    assertThat(read()).isEmpty();
  }

  @Test
  @DisplayName("an include that comes twice is checked in both places")
  void twice() throws IOException {
    write("include/part", header("part", "Takes  x~Reads  c") + "redis.log($x, c)\n");
    write(
        "job",
        SCRIPT
            + "do\nlocal c = 1\n--- @include \"part\" x=1\nend\n--- @include \"part\" x=2\n"
            + RETURN);
    assertThat(read())
        .containsExactly(
            "lua/include/part.lua:7: global: c is not a global in every Redis",
            "lua/job.lua:11: names: \"part\" reads c, but there is no local variable of that name here");
  }

  @Test
  @DisplayName("a constant that nothing uses is an error; the scripts of another directory may")
  void unusedConstant() throws IOException {
    write("job", SCRIPT + RETURN);
    write("include/constants", "ten = 10\n");
    assertThat(read())
        .containsExactly(
            "lua/include/constants.lua:1: constant: ten is never used: no script and no include has $ten");
    write("drop-in/other", "return $ten\n");
    assertThat(read()).isEmpty();
  }

  @Test
  @DisplayName("includes and constants may be those of another directory")
  void otherDirectory() throws IOException {
    write("drop-in/job", SCRIPT + "--- @include \"part\"\n" + RETURN);
    write("include/part", header("part", "Sets   c") + "local c = $ten\n");
    write("include/constants", "ten = 10\n");
    SortedSet<RuleViolation> problems = new TreeSet<>();
    ScriptReader reader = reader("lua/drop-in", problems);
    assertThat(reader.read()).hasSize(1);
    assertThat(problems).isEmpty();
    assertThat(reader.unusedIncludes()).isEmpty();
  }

  private List<String> problems(String arguments, String rows, String code) throws IOException {
    write("include/part", header("part", rows) + code.replace('~', '\n') + "\n");
    write("job", SCRIPT + "--- @include \"part\"" + arguments + "\n" + RETURN);
    return read();
  }

  private static String header(String name, String rows) {
    return "--[[\n  %s: is a part.\n\n  %s\n]]\n".formatted(name, rows.replace("~", "\n  "));
  }

  private List<String> read() throws IOException {
    SortedSet<RuleViolation> problems = new TreeSet<>();
    reader("lua", problems).read();
    return problems.stream().map(RuleViolation::toString).toList();
  }

  private ScriptReader reader(String directory, SortedSet<RuleViolation> problems) {
    return new ScriptReader(
        root.resolve(directory), root.resolve("lua/include"), Optional.empty(), problems);
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve("lua").resolve(name + ".lua");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
