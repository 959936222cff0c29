package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandTest {
  @Test
  @DisplayName("Wrong options are one sentence")
  void wrongOptions() {
    assertThat(CommandRun.penstock("bench", "--profile", "slow").err())
        .contains("--profile", "must be quick or full, not 'slow'");
    assertThat(CommandRun.penstock("bench", "--redis", "rediss://localhost:6380").err())
        .contains("does not support TLS")
        .doesNotContain("Exception");
  }

  @Test
  @DisplayName("A place that cannot be written is one sentence, before anything is measured")
  void unwritable(@TempDir Path directory) throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    CommandRun ran = CommandRun.penstock("bench", "--out", file.resolve("sub").toString());
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("--out must be a directory").doesNotContain("Exception");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NO_SUCH_CASE", "JEDIS/7/"})
  @DisplayName("A choice without a case is one sentence, and a report that is there stays")
  void nothingChosen(String choice, @TempDir Path directory) throws Exception {
    Path page = Files.writeString(directory.resolve("bench.html"), "of a good run");
    List<String> arguments = new ArrayList<>(List.of("bench", "--out", directory.toString(), "--"));
    arguments.addAll(List.of(choice.split(" ")));
    CommandRun ran = CommandRun.penstock(arguments.toArray(String[]::new));
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.out()).doesNotContain("Server:");
    assertThat(ran.err()).contains("these clients matches " + choice, "JEDIS/8/ALGORITHM/");
    assertThat(page).hasContent("of a good run");
    assertThat(directory.resolve("bench.json")).doesNotExist();
  }

  @Test
  @DisplayName("JMH's own options go to JMH")
  void jmh() {
    assertThat(CommandRun.penstock("jmh", "-l").exitCode()).isZero();
    assertThat(CommandRun.penstock("jmh", "--help").exitCode()).isZero();
  }
}
