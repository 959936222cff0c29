package io.github.penstock.simulator.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PerSecondTrafficTest {
  @Test
  void requestsOfASecondAreSpreadEvenly() {
    PerSecondTraffic traffic =
        new PerSecondTraffic("s", TrafficScenario.BEGIN_US, List.of(4, 0, 3));
    assertThat(
            Stream.generate(traffic::next)
                .takeWhile(Objects::nonNull)
                .map(request -> request.timeUs() - TrafficScenario.BEGIN_US))
        .containsExactly(0L, 250_000L, 500_000L, 750_000L, 2_000_000L, 2_333_333L, 2_666_666L);
  }

  @Test
  void trafficNeedsASecondAndNoNegativeNumbers() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PerSecondTraffic("s", TrafficScenario.BEGIN_US, List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PerSecondTraffic("s", TrafficScenario.BEGIN_US, List.of(1, -1)));
  }
}
