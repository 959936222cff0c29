package io.github.penstock.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.server.TestServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClusterDeploymentTest {
  @Test
  @DisplayName("a moved slot has a new owner, which has its keys; slots are those of the servers")
  void movesSlots() {
    ClusterDeployment cluster = SharedDeployments.cluster();
    try (DirectCommands commands = cluster.commands()) {
      commands.call("SET", "{moved}:a", "1");
      TestServer before = cluster.owner("{moved}:a");
      cluster.moveSlot("{moved}:a", () -> {});
      assertThat(cluster.owner("{moved}:a")).isNotEqualTo(before);
      assertThat(commands.call("GET", "{moved}:a")).isEqualTo("1");
      for (String key : new String[] {"a", "{b}c", "foo{}{bar}", "é", "{é}:x"}) {
        assertThat(commands.on(before, "CLUSTER", "KEYSLOT", key))
            .isEqualTo((long) KeySlot.of(key));
      }
    }
  }
}
