package io.github.penstock.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpanTest {
  @Test
  void lengthsAsPeopleWriteThem() {
    assertThat(Span.parse("1m")).isEqualTo(60_000_000);
    assertThat(Span.parse("s")).isEqualTo(1_000_000);
    assertThat(Span.parse("500us")).isEqualTo(500);
    assertThat(Span.parse("2d")).isEqualTo(172_800_000_000L);
  }

  @Test
  void lengthsAsPeopleReadThem() {
    assertThat(Span.exact(90_000_000)).isEqualTo("90 s");
    assertThat(Span.exact(3_600_000_000L)).isEqualTo("1 h");
    assertThat(Span.each(60_000_000)).isEqualTo("minute");
    assertThat(Span.rounded(9_900_000)).isEqualTo("9.9 s");
    assertThat(Span.rounded(2_000_000)).isEqualTo("2 s");
    assertThat(Span.rounded(100_000)).isEqualTo("100 ms");
    assertThat(Span.rounded(1_234_567)).isEqualTo("1.23 s");
    assertThat(Span.rounded(0)).isEqualTo("0");
  }

  @Test
  void everyWaitIsInExactlyOneClass() {
    assertThat(WaitClass.of(0)).isZero();
    assertThat(WaitClass.of(10_000)).isZero();
    assertThat(WaitClass.of(10_001)).isEqualTo(1);
    assertThat(WaitClass.of(100_001)).isEqualTo(2);
    assertThat(WaitClass.of(Long.MAX_VALUE - 1)).isEqualTo(WaitClass.count() - 1);
  }
}
