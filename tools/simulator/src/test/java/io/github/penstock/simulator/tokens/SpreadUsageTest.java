package io.github.penstock.simulator.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.simulator.traffic.TrafficScenario;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadUsageTest {
  private static final long BEGIN_US = TrafficScenario.BEGIN_US;
  private static final long SECOND_US = 1_000_000;

  @Test
  void aCallUsesItsUnitsEvenly() {
    SpreadUsage used = new SpreadUsage(List.of(call(0, 60, 600)));
    assertThat(used.most(60 * SECOND_US)).isEqualTo(600);
    assertThat(used.most(15 * SECOND_US)).isEqualTo(150);
    assertThat(used.between(BEGIN_US + 50 * SECOND_US, BEGIN_US + 90 * SECOND_US)).isEqualTo(100);
  }

  @Test
  void theFullestSpanMayBeginAndEndAnywhere() {
    // 10 a second in seconds 0 to 10, 30 in 10 to 20, and 50 at once in second 25.
    SpreadUsage used =
        new SpreadUsage(List.of(call(0, 20, 200), call(10, 10, 200), call(25, 0, 50)));
    assertThat(used.most(10 * SECOND_US)).isEqualTo(300);
    assertThat(used.most(15 * SECOND_US)).isEqualTo(350);
    assertThat(used.most(20 * SECOND_US)).isEqualTo(400);
    assertThat(used.most(100 * SECOND_US)).isEqualTo(450);
  }

  @Test
  void nothingIsUsedWithoutACall() {
    SpreadUsage used = new SpreadUsage(List.of());
    assertThat(used.most(SECOND_US)).isZero();
    assertThat(used.between(0, BEGIN_US)).isZero();
  }

  private static TokenCall call(long second, long seconds, long used) {
    return new TokenCall(BEGIN_US + second * SECOND_US, "s", seconds * SECOND_US, 1, used);
  }
}
