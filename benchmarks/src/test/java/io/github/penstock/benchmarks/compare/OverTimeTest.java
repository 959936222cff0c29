package io.github.penstock.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.benchmarks.report.Hue;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverTimeTest {
  private static final long SECOND_US = 1_000_000;

  @Test
  void aLastSlotThatIsFilledInPartIsNotShown() {
    assertThat(OverTime.complete(everySecond(614))).isEqualTo(61);
    assertThat(OverTime.complete(everySecond(620))).isEqualTo(62);
    assertThat(OverTime.complete(everySecond(621))).isEqualTo(62);
  }

  @Test
  void aLastSlotWithMoreThanTheOneBeforeIsShown() {
    Tally tally = everySecond(614);
    for (int i = 0; i < 20; i++) {
      tally.admitted(new Request(Scenario.BEGIN_US + 613 * SECOND_US, "me", 1), 0);
    }
    assertThat(OverTime.complete(tally)).isEqualTo(62);
  }

  @Test
  void everySettingHasAColourOfItsOwn() {
    assertThat(TrafficChapter.hues(List.of("token-bucket", "fixed-window", "token-bucket")))
        .containsExactly(Hue.BLUE, Hue.ORANGE, Hue.PURPLE);
    assertThat(TrafficChapter.hues(Collections.nCopies(8, "leaky-bucket")))
        .startsWith(Hue.GREEN)
        .doesNotHaveDuplicates()
        .doesNotContain(Hue.GREY);
  }

  @Test
  void ofFewSlotsAllAreShown() {
    assertThat(OverTime.complete(everySecond(1))).isEqualTo(1);
    assertThat(OverTime.complete(everySecond(4))).isEqualTo(31);
  }

  private static Tally everySecond(int seconds) {
    Tally tally = new Tally(Candidate.of("token-bucket:100/1m"));
    for (int i = 0; i < seconds; i++) {
      tally.admitted(new Request(Scenario.BEGIN_US + i * SECOND_US, "me", 1), 0);
    }
    return tally;
  }
}
