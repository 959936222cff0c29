package io.github.penstock.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SentinelGroupTest {
  @Test
  @DisplayName("a failover on demand promotes the replica while the old primary works")
  void failover() {
    try (SentinelGroup group = SentinelGroup.start(new EmbeddedServer().executable())) {
      ServerProcess old = group.primary();
      ServerProcess now = group.failover();
      assertThat(now).isNotSameAs(old);
      assertThat(String.valueOf(now.call("ROLE"))).contains("master");
      group.awaitWhole();
      assertThat(String.valueOf(old.call("ROLE"))).contains("slave");
    }
  }
}
