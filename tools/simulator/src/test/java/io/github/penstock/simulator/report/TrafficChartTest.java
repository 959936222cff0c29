package io.github.penstock.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.TrafficRequest;
import io.github.penstock.simulator.traffic.TrafficScenario;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrafficChartTest {
  private static final long SECOND_US = 1_000_000;

  @Test
  void aLastSlotThatIsFilledInPartIsNotShown() {
    assertThat(TrafficChart.complete(everySecond(614))).isEqualTo(61);
    assertThat(TrafficChart.complete(everySecond(620))).isEqualTo(62);
    assertThat(TrafficChart.complete(everySecond(621))).isEqualTo(62);
  }

  @Test
  void aLastSlotWithMoreThanTheOneBeforeIsShown() {
    ReplayStats stats = everySecond(614);
    for (int i = 0; i < 20; i++) {
      stats.admitted(new TrafficRequest(TrafficScenario.BEGIN_US + 613 * SECOND_US, "me", 1), 0);
    }
    assertThat(TrafficChart.complete(stats)).isEqualTo(62);
  }

  @Test
  void everySettingHasAColourOfItsOwn() {
    assertThat(
            TrafficChapter.colors(
                List.of(LimitKind.TOKEN_BUCKET, LimitKind.FIXED_WINDOW, LimitKind.TOKEN_BUCKET)))
        .containsExactly(SeriesColor.BLUE, SeriesColor.ORANGE, SeriesColor.TEAL);
    assertThat(TrafficChapter.colors(Collections.nCopies(8, LimitKind.LEAKY_BUCKET)))
        .startsWith(SeriesColor.GREEN)
        .doesNotHaveDuplicates()
        .doesNotContain(SeriesColor.GREY);
  }

  @Test
  void ofFewSlotsAllAreShown() {
    assertThat(TrafficChart.complete(everySecond(1))).isEqualTo(1);
    assertThat(TrafficChart.complete(everySecond(4))).isEqualTo(31);
  }

  private static ReplayStats everySecond(int seconds) {
    ReplayStats stats = new ReplayStats(LimitCandidate.of("token-bucket:100/1m"));
    for (int i = 0; i < seconds; i++) {
      stats.admitted(new TrafficRequest(TrafficScenario.BEGIN_US + i * SECOND_US, "me", 1), 0);
    }
    return stats;
  }
}
