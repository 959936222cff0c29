package io.github.penstock.simulator.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EvenTrafficTest {
  @Test
  void requestsOfASecondAreSpreadEvenly() {
    int[] requests = {4, 0, 3};
    RequestSource traffic = TrafficScenario.perSecond(3, second -> requests[second]);
    assertThat(
            Stream.generate(traffic::next)
                .takeWhile(Objects::nonNull)
                .map(request -> request.timeUs() - TrafficScenario.BEGIN_US))
        .containsExactly(0L, 250_000L, 500_000L, 750_000L, 2_000_000L, 2_333_333L, 2_666_666L);
  }
}
