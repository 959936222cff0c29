package io.github.penstock.report.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private final StringWriter out = new StringWriter();

  @Test
  @DisplayName("On a terminal a line is written again in its place, and is taken away")
  void terminal() {
    ProgressLine line = new ProgressLine(new PrintWriter(out), true, Duration.ZERO);
    line.update(() -> "1 of 2");
    line.update(() -> "x".repeat(200));
    line.clear();
    assertThat(out.toString().replace("\u001b[K", "|"))
        .isEqualTo("\r|1 of 2\r|" + "x".repeat(TerminalWidth.columns() - 1) + "\r|");
    ProgressLine soon = new ProgressLine(new PrintWriter(out), true, Duration.ofDays(1));
    soon.update(() -> "too soon");
    assertThat(out.toString()).doesNotContain("too soon");
  }

  @Test
  @DisplayName("Elsewhere it is a line now and then")
  void file() {
    ProgressLine line = new ProgressLine(new PrintWriter(out), false, Duration.ZERO);
    line.update(() -> "1 of 2");
    line.update(() -> "2 of 2");
    line.clear();
    assertThat(out.toString().lines()).containsExactly("1 of 2", "2 of 2");
    assertThat(out.toString()).doesNotContain("\r").doesNotContain("\u001b");
  }
}
