package io.github.penstock.simulator.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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

  @Test
  void everyWaitIsInExactlyOneClass() {
    WaitHistogram waits = new WaitHistogram();
    for (long us : List.of(0L, 10_000L, 10_001L, 60_000_000L)) {
      waits.add(us);
    }
    assertThat(waits.percentIn(WaitClass.TO_10_MS)).isEqualTo(50);
    assertThat(waits.percentIn(WaitClass.TO_100_MS)).isEqualTo(25);
    assertThat(waits.percentIn(WaitClass.TO_60_S)).isEqualTo(25);
    assertThat(WaitClass.among(List.of(waits)))
        .containsExactly(
            WaitClass.TO_10_MS,
            WaitClass.TO_100_MS,
            WaitClass.TO_1_S,
            WaitClass.TO_10_S,
            WaitClass.TO_60_S);
    assertThat(WaitClass.of(60_000_001)).isEqualTo(WaitClass.TO_10_MIN);
    assertThat(WaitClass.of(Long.MAX_VALUE)).isEqualTo(WaitClass.LONGER);
    assertThat(WaitClass.among(List.of(new WaitHistogram()))).isEmpty();
  }
}
