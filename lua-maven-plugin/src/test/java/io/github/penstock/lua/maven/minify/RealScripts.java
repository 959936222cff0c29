package io.github.penstock.lua.maven.minify;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.lua.maven.rule.RuleViolation;
import io.github.penstock.lua.maven.script.CheckedScript;
import io.github.penstock.lua.maven.script.ScriptReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Real scripts for the tests: those of the test project and those that Penstock ships. */
final class RealScripts {
  private RealScripts() {}

  static Stream<CheckedScript> all() throws IOException {
    return Stream.concat(
        read(Path.of("src/test/resources/project/lua")),
        read(Path.of(System.getProperty("penstock.lua.directory", "../lua"))));
  }

  private static Stream<CheckedScript> read(Path directory) throws IOException {
    SortedSet<RuleViolation> problems = new TreeSet<>();
    var scripts =
        new ScriptReader(directory, directory.resolve("include"), Optional.empty(), problems)
            .read();
    assertThat(problems).isEmpty();
    assertThat(scripts).isNotEmpty();
    return scripts.stream();
  }
}
