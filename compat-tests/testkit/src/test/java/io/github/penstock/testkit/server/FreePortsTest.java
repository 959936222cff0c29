package io.github.penstock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  @Test
  @DisplayName("a port is not given again before hundreds of others, all of them of this process")
  void inTurn() {
    Set<Integer> given = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      assertThat(given.add(FreePorts.next())).isTrue();
    }
    assertThat(given).allMatch(port -> (port - 12_000) % 500 > 0);
    assertThat(given.stream().map(port -> (port - 12_000) / 500).distinct()).hasSize(1);
  }
}
