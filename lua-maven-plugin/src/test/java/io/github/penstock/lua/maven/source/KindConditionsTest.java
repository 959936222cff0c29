package io.github.penstock.lua.maven.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.lua.maven.rule.RuleViolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KindConditionsTest {
  @TempDir Path directory;

  private final SortedSet<RuleViolation> problems = new TreeSet<>();

  @BeforeEach
  void scripts() throws IOException {
    script("b-window", "limit window_us", "limit 1..$most, window_us 1..9", "fading", "yes");
    script("c-window", "limit window_us", "limit 1..9, window_us 1..9", "at_end", "yes");
    script(
        "a-bucket",
        "size units period_us",
        "size 1..9, units 1..9, period_us 1..9",
        "evenly",
        "no");
    write("include/constants.lua", "most = 9\n");
  }

  @Test
  @DisplayName("a condition names the scripts whose headers say so, in the order of their refill")
  void conditions() throws IOException {
    write("user.lua", "local script = KEYS[1]\nreturn {$holds_2, $charges_3}\n");
    assertThat(flatten("user"))
        .endsWith(
            """
            return {(script == "c-window" or script == "b-window"), script == "a-bucket"}
            """);
    assertThat(problems).isEmpty();
  }

  @Test
  @DisplayName("a script that no condition covers is an error at its header, where others have one")
  void uncovered() throws IOException {
    library().checkConstants();
    assertThat(problems).extracting(RuleViolation::toString).noneMatch(p -> p.contains("$charges"));
    write("user.lua", "return $holds_2\n");
    library().checkConstants();
    assertThat(problems)
        .extracting(RuleViolation::toString)
        .anyMatch(
            problem -> problem.contains("/a-bucket.lua:6: constant: no include has $charges_3"))
        .noneMatch(problem -> problem.contains("$holds_2"));
  }

  @Test
  @DisplayName("a condition that is true for no script is unknown")
  void unknown() throws IOException {
    write("user.lua", "return $holds_3\n");
    flatten("user");
    assertThat(problems)
        .extracting(RuleViolation::toString)
        .anyMatch(problem -> problem.contains("user.lua:1: constant: $holds_3 is unknown"));
  }

  private String flatten(String name) {
    return new ScriptFlattener(directory, library(), problems).flatten(name).text();
  }

  private IncludeLibrary library() {
    return new IncludeLibrary(directory.resolve("include"), problems);
  }

  private void script(String name, String numbers, String bounds, String refill, String holds)
      throws IOException {
    int last = numbers.split(" ").length;
    write(
        name + ".lua",
        """
        --[[
          %s: decides.

          KEYS[1]     key   any
          ARGV[1..%d]  %s   one tier, repeated
          Bounds      %s
          Marker      x %s
          State       q  unused 0
          Refill      %s
          Queues      no
          Holds       %s
          Reply[1]    one   units
        ]]
        """
            .formatted(name, last, numbers, bounds, numbers, refill, holds));
  }

  private void write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
