package io.github.penstock.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberTextTest {
  @ParameterizedTest
  @DisplayName("A part is never called none or all unless it is")
  @CsvSource({
    "0, 5, 0 %",
    "0, 0, 0 %",
    "5, 5, 100 %",
    "1, 100000, under 0.01 %",
    "5, 10000, 0.05 %",
    "1, 1000, 0.1 %",
    "20, 1160, 1.7 %",
    "408, 1600, 26 %",
    "994, 1000, 99 %",
    "995, 1000, 99.5 %",
    "999, 1000, 99.9 %",
    "9994, 10000, 99.9 %",
    "9995, 10000, 99.95 %",
    "99994, 100000, 99.99 %",
    "99996, 100000, over 99.99 %",
  })
  void percent(long part, long whole, String text) {
    assertThat(NumberText.percent(part, whole)).isEqualTo(text);
  }

  @Test
  @DisplayName("Counts have commas, and one of a thing has no plural")
  void counts() {
    assertThat(NumberText.count(1, "request")).isEqualTo("1 request");
    assertThat(NumberText.count(0, "request")).isEqualTo("0 requests");
    assertThat(NumberText.count(1_234, "request")).isEqualTo("1,234 requests");
    assertThat(NumberText.count(Long.MAX_VALUE / 1e3)).isEqualTo("9,223,372,036,854,776");
    assertThat(NumberText.tenths(1_234.25)).isEqualTo("1,234.3");
    assertThat(NumberText.hundredths(0.5)).isEqualTo("0.50");
  }

  @Test
  @DisplayName("Times are exact, or have three digits at most")
  void times() {
    assertThat(NumberText.exactTime(90_000_000)).isEqualTo("90 s");
    assertThat(NumberText.exactTime(3_600_000_000L)).isEqualTo("1 h");
    assertThat(NumberText.exactTime(1_234)).isEqualTo("1234 µs");
    assertThat(NumberText.per(60_000_000)).isEqualTo("minute");
    assertThat(NumberText.per(10_000_000)).isEqualTo("10 s");
    assertThat(NumberText.time(9_900_000)).isEqualTo("9.9 s");
    assertThat(NumberText.time(2_000_000)).isEqualTo("2 s");
    assertThat(NumberText.time(100_000)).isEqualTo("100 ms");
    assertThat(NumberText.time(1_234_567)).isEqualTo("1.23 s");
    assertThat(NumberText.time(0)).isEqualTo("0");
    assertThat(NumberText.clock(125.4)).isEqualTo("2:05");
  }

  @Test
  void aNumberAndItsUnitStayTogether() {
    assertThat(NumberText.unbroken("99 % of 5 d wait 1.5 s or 2 min, not 3 steps; a s"))
        .isEqualTo("99\u00a0% of 5\u00a0d wait 1.5\u00a0s or 2\u00a0min, not 3 steps; a s");
  }
}
