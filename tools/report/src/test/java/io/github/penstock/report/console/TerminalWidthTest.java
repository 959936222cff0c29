package io.github.penstock.report.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class TerminalWidthTest {
  @AfterEach
  void anyWidth() {
    System.clearProperty(TerminalWidth.PROPERTY);
  }

  @Test
  void textIsBrokenWhereTheTerminalEnds() {
    System.setProperty(TerminalWidth.PROPERTY, "50");
    assertThat(LineWrap.lines("word ".repeat(40).strip()))
        .allMatch(line -> line.length() <= 50)
        .anyMatch(line -> line.length() > 45);
    assertThat(LineWrap.lines("x".repeat(44) + " 99 % of"))
        .containsExactly("  " + "x".repeat(44), "    99 % of");
    assertThat(LineWrap.lines("Use token-bucket:10/1s,burst=15+100/1m,burst=120+1000/1h. It"))
        .containsExactly("  Use token-bucket:10/1s,burst=15+100/1m,", "    burst=120+1000/1h. It");
  }
}
