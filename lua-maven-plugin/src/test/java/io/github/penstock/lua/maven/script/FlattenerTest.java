package io.github.penstock.lua.maven.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlattenerTest {
  @TempDir Path directory;

  private final SortedSet<Problem> problems = new TreeSet<>();

  @Test
  @DisplayName("includes are nested, indented, and come once")
  void nested() throws IOException {
    write("main.lua", "local a\nif a then\n  --- @include \"one\"\nend\n--- @include \"two\"\n");
    write("include/one.lua", "local b\n--- @include \"two\"\nlocal c\n");
    write("include/two.lua", "local d\n\nlocal e");
    FlatScript flat = flatten();
    assertThat(flat.text())
        .isEqualTo("local a\nif a then\n  local b\n  local d\n\n  local e\n  local c\nend\n");
    assertThat(flat.origins().get(5).toString()).endsWith("/include/two.lua:3");
    assertThat(flat.origins().get(7).toString()).endsWith("/main.lua:4");
    assertThat(problems).isEmpty();
  }

  @Test
  @DisplayName("strings over several lines keep their bytes")
  void longStrings() throws IOException {
    write("main.lua", "  --- @include \"one\"\n");
    write("include/one.lua", "local b = [[\nfirst\n  second]]\nlocal c\n");
    assertThat(flatten().text()).isEqualTo("  local b = [[\nfirst\n  second]]\n  local c\n");
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
    write("include/one.lua", "\n--- @include \"two\"\n");
    write("include/two.lua", "\n\n--- @include \"one\"\n");
    flatten();
    assertThat(problems)
        .extracting(Problem::line, Problem::message)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(3, "\"one\" includes itself: one -> two -> one"));
    assertThat(problems.first().file()).endsWith("/include/two.lua");
  }

  @Test
  @DisplayName("a directive that is malformed or not alone is an error")
  void malformed() throws IOException {
    write(
        "main.lua",
        "-- @include \"one\"\n--- @include one\nlocal a --- @include \"one\"\n--- @include \"../x\"\n");
    flatten();
    assertThat(problems).extracting(Problem::line).containsExactly(1, 2, 3, 4);
    String malformed =
        "an include is written --- @include \"name\", the name of lower-case letters, digits, _, - and /";
    assertThat(problems)
        .extracting(Problem::message)
        .containsExactly(
            malformed,
            malformed,
            "an include is a line of its own: --- @include \"name\"",
            malformed);
  }

  private FlatScript flatten() {
    return new Flattener(directory, problems).flatten("main");
  }

  private void write(String name, String text) throws IOException {
    Files.createDirectories(directory.resolve(name).getParent());
    Files.writeString(directory.resolve(name), text);
  }
}
