package io.github.penstock.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitsTest {
  @Test
  void theLongestIsExactAndNoPercentileIsLonger() {
    Waits waits = new Waits();
    waits.add(600_000);
    waits.add(400_001);
    assertThat(waits.longest()).isEqualTo(600_000);
    assertThat(waits.percentile(100)).isEqualTo(600_000);
    assertThat(waits.percentile(50)).isBetween(400_000L, 400_400L);
    assertThat(waits.count()).isEqualTo(2);
    assertThat(new Waits().longest()).isZero();
  }

  @Test
  void aWholeMinuteIsNotInTheClassBeyondIt() {
    assertThat(WaitClass.of(60_000_000)).isEqualTo(WaitClass.of(59_999_999));
    assertThat(WaitClass.of(60_000_001)).isEqualTo(WaitClass.of(60_000_000) + 1);
  }
}
