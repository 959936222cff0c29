package io.github.penstock.simulator.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitHistogramTest {
  @Test
  void theLongestIsExactAndNoPercentileIsLonger() {
    WaitHistogram waits = new WaitHistogram();
    waits.add(600_000);
    waits.add(400_001);
    assertThat(waits.longest()).isEqualTo(600_000);
    assertThat(waits.percentile(100)).isEqualTo(600_000);
    assertThat(waits.percentile(50)).isBetween(400_000L, 400_400L);
    assertThat(waits.count()).isEqualTo(2);
    assertThat(new WaitHistogram().longest()).isZero();
  }
}
