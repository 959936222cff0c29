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
  @DisplayName("On a terminal a line is written again in its place and ends with its result")
  void terminal() {
    ProgressLine line = new ProgressLine(new PrintWriter(out), Duration.ZERO, true);
    line.begin("1/2  first");
    line.update(() -> "too soon");
    line.end("1/2  first", "12.3 µs");
    line.clear();
    assertThat(out.toString().replace("\u001b[K", "|"))
        .isEqualTo(
            "\r|1/2  first\r|1/2  first"
                + " ".repeat(68)
                + "12.3 µs"
                + System.lineSeparator()
                + "\r|");
  }

  @Test
  @DisplayName("Elsewhere it is a line of its own now and then, and the result ends the line begun")
  void file() {
    ProgressLine line = new ProgressLine(new PrintWriter(out), Duration.ZERO, false);
    line.begin("1/2  first");
    line.update(() -> "1/2  first  round 3");
    line.end("1/2  first", "12.3 µs");
    line.begin("2/2  second");
    line.end("2/2  second", "4 µs");
    line.clear();
    assertThat(out.toString().lines().map(each -> each.replaceAll(" {3,}", "   ")))
        .containsExactly(
            "1/2  first", "1/2  first  round 3", "1/2  first   12.3 µs", "2/2  second   4 µs");
    assertThat(out.toString()).doesNotContain("\r").doesNotContain("\u001b");
  }
}
