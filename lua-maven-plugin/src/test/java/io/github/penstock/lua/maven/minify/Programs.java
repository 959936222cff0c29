package io.github.penstock.lua.maven.minify;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.lua.maven.script.Problem;
import io.github.penstock.lua.maven.script.Script;
import io.github.penstock.lua.maven.script.ScriptReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Real scripts for the tests: those of the test project and those that Penstock ships. */
final class Programs {
  private Programs() {}

  static Stream<Script> all() throws IOException {
    return Stream.concat(
        read(Path.of("src/test/resources/project/lua")),
        read(Path.of(System.getProperty("penstock.lua.directory", "../lua"))));
  }

  private static Stream<Script> read(Path directory) throws IOException {
    SortedSet<Problem> problems = new TreeSet<>();
    var scripts =
        new ScriptReader(directory.toAbsolutePath().normalize(), Optional.empty(), problems).read();
    assertThat(problems).isEmpty();
    assertThat(scripts).isNotEmpty();
    return scripts.stream();
  }
}
