package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.RedisDeployment;
import io.github.penstock.testkit.topology.StandaloneServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LettuceConfigurationTest {
  private static final Limit LIMIT = FixedWindow.of(100, Duration.ofHours(1));
  private static final ClientOptions RESP2 =
      ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build();
  private static final ClusterClientOptions CLUSTER_RESP2 =
      ClusterClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build();

  @Test
  @DisplayName("the options of the client hold for a single server")
  void single() {
    try (StandaloneServer server = new StandaloneServer(new EmbeddedServer().start())) {
      assertThat(connection(server, RESP2)).contains("resp=2");
      assertThat(connection(server, BoundedClients.DEFAULTS)).contains("resp=3");
    }
  }

  @Test
  @DisplayName("so they do for a cluster, also those that only a cluster's client has")
  void cluster() {
    try (ClusterDeployment cluster =
        ClusterDeployment.start(new EmbeddedServer().executable(), 1)) {
      assertThat(connection(cluster, RESP2)).contains("resp=2");
      assertThat(connection(cluster, CLUSTER_RESP2)).contains("resp=2");
      assertThat(connection(cluster, BoundedClients.DEFAULTS)).contains("resp=3");
    }
  }

  /* A server's line about the connection that made the call. */
  private static String connection(RedisDeployment deployment, ClientOptions options) {
    try (LettuceRateLimiters limiters =
        LettuceRateLimiters.connect(
            deployment.endpoint().uri(),
            options,
            RateLimiterOptions.builder().deadline(Duration.ofMinutes(1)).build())) {
      assertThat(limiters.limiter("api", LIMIT).tryAcquire("u").allowed()).isTrue();
      List<TestServer> masters = deployment.masters();
      return masters.stream()
          .flatMap(master -> String.valueOf(master.call("CLIENT", "LIST")).lines())
          .filter(line -> line.contains("cmd=eval"))
          .findFirst()
          .orElseThrow();
    }
  }
}
