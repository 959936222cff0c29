package io.github.penstock.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

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
