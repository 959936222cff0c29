package io.github.penstock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchCommandTest {
  @Test
  @DisplayName("Wrong options are one sentence")
  void wrongOptions() {
    assertThat(Ran.penstock("bench", "--profile", "slow").err()).contains("--profile", "QUICK");
    assertThat(Ran.penstock("bench", "--redis", "rediss://localhost:6380").err())
        .contains("without TLS")
        .doesNotContain("Exception");
  }

  @Test
  @DisplayName("A place that cannot be written is one sentence, before anything is measured")
  void unwritable(@TempDir Path directory) throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    Ran ran = Ran.penstock("bench", "--out", file.resolve("sub").toString());
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("--out must be a directory").doesNotContain("Exception");
  }

  @Test
  @DisplayName("JMH's own options go to JMH")
  void jmh() {
    assertThat(Ran.penstock("jmh", "-l").exitCode()).isZero();
  }
}
