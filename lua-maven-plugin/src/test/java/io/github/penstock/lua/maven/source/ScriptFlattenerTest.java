package io.github.penstock.lua.maven.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.lua.maven.rule.RuleViolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptFlattenerTest {
  @TempDir Path directory;

  private final SortedSet<RuleViolation> problems = new TreeSet<>();

  @Test
  @DisplayName("includes are nested and indented; of a header the sentence is left")
  void nested() throws IOException {
    write("main.lua", "local a\nif a then\n  --- @include \"one\"\nend\n");
    write("include/one.lua", header("one", "Reads a") + "local b\n--- @include \"two\"\nlocal c\n");
    write("include/two.lua", header("two", "") + "local d\n\nlocal e");
    FlatScript flat = flatten();
    assertThat(problems).isEmpty();
    assertThat(flat.text())
        .isEqualTo(
            """
            local a
            if a then
              -- one: is one,
              -- and no more.
              local b
              -- two: is two,
              -- and no more.
              local d

              local e
              local c
            end
            """);
    assertThat(Stream.of(1, 3, 4, 5, 8, 10, 11, 12).map(flat::origin).map(LineOrigin::line))
        .containsExactly(1, 2, 3, 7, 7, 9, 9, 4);
    assertThat(flat.origin(8).file()).endsWith("/include/two.lua");
  }

  @Test
  @DisplayName("an include that comes twice is done twice, and described once")
  void twice() throws IOException {
    write("main.lua", "--- @include \"one\" x=a\nlocal b\n--- @include \"one\" x=b\n");
    write("include/one.lua", header("one", "Takes x") + "check($x)\n");
    assertThat(flatten().text())
        .isEqualTo("-- one: is one,\n-- and no more.\ncheck(a)\nlocal b\ncheck(b)\n");
    assertThat(problems).isEmpty();
  }

  @Test
  @DisplayName("parameters and constants are replaced in code, strings and comments")
  void replaced() throws IOException {
    write(
        "main.lua",
        "--- @include \"one\" value=t[1] name=\"a b\" most=-$ten\nlocal s, t = \"$greeting, ^x$\", $half * $least\n");
    write(
        "include/one.lua",
        header("one", "Takes value name most").replace("is one", "is $name")
            + "if $value > $most then return \"$name\" end -- $name\n");
    write(
        "include/constants.lua",
        "-- Ten.\nten = 10\n\nhalf = 0.5\nleast = 1e-6\ngreeting = \"good day\"\n");
    assertThat(flatten().text())
        .isEqualTo(
            """
            -- one: is a b,
            -- and no more.
            if t[1] > -10 then return "a b" end -- a b
            local s, t = "good day, ^x$", 0.5 * 1e-6
            """);
    assertThat(problems).isEmpty();
  }

  @Test
  @DisplayName("an include hands its parameters on")
  void handedOn() throws IOException {
    write("main.lua", "--- @include \"one\" word=cost\n");
    write(
        "include/one.lua",
        header("one", "Takes word") + "--- @include \"two\" text=\"the $word\"\n");
    write("include/two.lua", header("two", "Takes text") + "local s = \"$text\"\n");
    assertThat(flatten().text()).endsWith("\nlocal s = \"the cost\"\n");
    assertThat(problems).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("a directive that does not fit its include is an error on its line")
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      value = {
        "--- @include \"one\" value=a! include: \"one\" needs name=",
        "--- @include \"one\" value=a name=b most=c! include: \"one\" has no parameter most: its parameters are name, value",
        "--- @include \"none\" value=a! include: \"none\" has no parameter value: it has none",
        "--- @include \"one\" value=a name=b value=c! include: value= is given twice",
        "--- @include \"absent\"! include: there is no lua/include/absent.lua",
        "--- @include \"constants\"! include: there is no lua/include/constants.lua",
        "local a --- @include \"none\"! include: an include stands on a line of its own",
        "--- @include \"none\" value! include: an include is written --- @include \"name\" parameter=text parameter=\"text with spaces\", not value",
        "--- @include \"none\" x=\"a\"b! include: an include is written --- @include \"name\" parameter=text parameter=\"text with spaces\", not x=\"a\"b",
        "-- @include \"none\"! include: an include is written --- @include \"name\" parameter=text parameter=\"text with spaces\"",
        "--- @include none! include: an include is written --- @include \"name\" parameter=text parameter=\"text with spaces\"",
        "--- @include \"../none\"! include: an include is written --- @include \"name\" parameter=text parameter=\"text with spaces\"",
        "--- @include \"one\" value=$ten name=b! constant: $ten is unknown: no constant has that name",
        "local a = \"$ten\"! constant: $ten is unknown: no constant has that name",
      })
  void directives(String line, String message) throws IOException {
    write("main.lua", "local x\n" + line + "\n");
    write("include/one.lua", header("one", "Takes value name") + "local x = $value .. \"$name\"\n");
    write("include/none.lua", header("none", "") + "local y\n");
    write("include/constants.lua", "twelve = 12\n");
    assertThat(problems()).containsExactly("lua/main.lua:2: " + message);
  }

  @Test
  @DisplayName("a name that is no parameter and no constant is an error where it stands")
  void unknown() throws IOException {
    write("main.lua", "--- @include \"one\" x=a\n");
    write("include/one.lua", header("one", "Takes x") + "check($x)\ncheck($y)\n");
    assertThat(problems())
        .containsExactly(
            "lua/include/one.lua:8: constant: $y is unknown: no constant and no parameter has that name");
  }

  @ParameterizedTest
  @DisplayName("a header that is wrong is an error on its line")
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      value = {
        "--[[~  other: is one.~]]! 2: header: the header begins with \"one: what it does.\" and an empty line",
        "--[[~  one: is one~]]! 2: header: the header begins with \"one: what it does.\" and an empty line",
        "-- one: is one.! 1: header: an include opens with a block comment: a sentence, and the rows Reads and Sets",
        "--[[~  one: is one.~~  Colour  red~]]! 4: header: unknown row Colour: an include has Takes, Reads and Sets",
        "--[[~  one: is one.~~  Reads  a~  Reads  b~]]! 5: header: a second row Reads",
        "--[[~  one: is one.~~  Reads  a a~]]! 4: header: Reads lists a twice",
        "--[[~  one: is one.~~  Reads  $a~]]! 4: header: Reads lists names, and this is not one: $a",
        "--[[~  one: is one.~~  Takes  A~]]! 4: header: Takes lists names, and this is not one: A",
        "--[[~  one: is one.~~  Takes  a~]]! 4: header: Takes lists a, but there is no $a in the code",
        "--[[~  one: is one.~~  Takes  ten~]]~local x = $ten! 4: header: the parameter ten has the name of a constant",
        "--[[~  one: is one.~]] local x! 3: header: code begins on the line after the header",
      })
  void headers(String include, String message) throws IOException {
    write(
        "main.lua",
        "--- @include \"one\"" + (include.contains("Takes") ? " a=1 ten=2" : "") + "\n");
    write("include/one.lua", include.replace('~', '\n') + "\n");
    write("include/constants.lua", "ten = 10\n");
    assertThat(problems()).contains("lua/include/one.lua:" + message);
  }

  @ParameterizedTest
  @DisplayName("a constant that is malformed or there already is an error")
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      value = {
        "Ten = 10! a constant is written  name = 1000  or  name = \"text\", not Ten = 10",
        "local x = 10! a constant is written  name = 1000  or  name = \"text\", not local x = 10",
        "x = 1.2.3! a constant is written  name = 1000  or  name = \"text\", not x = 1.2.3",
        "x = y! a constant is written  name = 1000  or  name = \"text\", not x = y",
        "ten = 11! ten is a constant already: lua/include/constants.lua:1",
      })
  void constants(String line, String message) throws IOException {
    write("main.lua", "local x = $ten\n");
    write("include/constants.lua", "ten = 10\n\n" + line + "\n");
    assertThat(flatten().text()).isEqualTo("local x = 10\n");
    assertThat(problems()).containsExactly("lua/include/constants.lua:3: constant: " + message);
  }

  @Test
  @DisplayName("strings over several lines keep their bytes")
  void longStrings() throws IOException {
    write("main.lua", "  --- @include \"one\"\n");
    write("include/one.lua", header("one", "") + "local b = [[\nfirst\n  second]]\nlocal c\n");
    assertThat(flatten().text()).endsWith("  local b = [[\nfirst\n  second]]\n  local c\n");
  }

  @Test
  @DisplayName("a directive inside a string or a block comment is none")
  void quoted() throws IOException {
    String text = "--[[\n--- @include \"one\"\n]]\nlocal a = [[\n--- @include \"one\"\n]]\n";
    write("main.lua", text);
    assertThat(flatten().text()).isEqualTo(text);
    assertThat(problems).isEmpty();
  }

  @Test
  @DisplayName("a circular include names its way, file and line")
  void circular() throws IOException {
    write("main.lua", "--- @include \"one\"\n");
    write("include/one.lua", header("one", "") + "--- @include \"two\"\n");
    write("include/two.lua", header("two", "") + "\n--- @include \"one\"\n");
    assertThat(problems())
        .containsExactly(
            "lua/include/two.lua:8: include: \"one\" includes itself: one -> two -> one");
  }

  /** A header of six lines. */
  private static String header(String name, String row) {
    return "--[[\n  %s: is %s,\n  and no more.\n\n  %s\n]]\n"
        .formatted(name, name, row.replaceFirst(" ", "  "));
  }

  private List<String> problems() {
    flatten();
    return problems.stream().map(RuleViolation::toString).toList();
  }

  private FlatScript flatten() {
    Path lua = directory.resolve("lua");
    return new ScriptFlattener(lua, new IncludeLibrary(lua.resolve("include"), problems), problems)
        .flatten("main");
  }

  private void write(String name, String text) throws IOException {
    Path file = directory.resolve("lua").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
