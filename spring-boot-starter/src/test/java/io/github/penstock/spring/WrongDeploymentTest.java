package io.github.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.LocalCertificate;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.SentinelGroup;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** A deployment that is set up wrong is no outage: it never opens, though outages do. */
class WrongDeploymentTest {
  @AutoClose private static final ServerProcess redis = new EmbeddedServer().start();

  @ParameterizedTest
  @DisplayName("a cluster's nodes that are a single server")
  @ValueSource(strings = {"lettuce", "jedis"})
  void noCluster(String client) {
    refuses(
        client,
        "cluster support disabled",
        "--spring.data.redis.cluster.nodes=127.0.0.1:" + redis.url().port());
  }

  @ParameterizedTest
  @DisplayName("wrong credentials of a cluster")
  @ValueSource(strings = {"lettuce", "jedis"})
  void credentials(String client) {
    try (ClusterDeployment cluster = ClusterDeployment.start(new EmbeddedServer().executable())) {
      cluster.masters().forEach(node -> node.call("CONFIG", "SET", "requirepass", "right"));
      String nodes =
          cluster.masters().stream()
              .map(node -> node.url().host() + ":" + node.url().port())
              .collect(Collectors.joining(","));
      refuses(
          client,
          "WRONGPASS",
          "--spring.data.redis.cluster.nodes=" + nodes,
          "--spring.data.redis.password=wrong");
    }
  }

  @ParameterizedTest
  @DisplayName("sentinels that are a plain server")
  @ValueSource(strings = {"lettuce", "jedis"})
  void noSentinel(String client) {
    refuses(
        client,
        client.equals("jedis") ? "sentinels" : "unknown command",
        "--spring.data.redis.sentinel.master=mymaster",
        "--spring.data.redis.sentinel.nodes=127.0.0.1:" + redis.url().port());
  }

  @ParameterizedTest
  @DisplayName("a master that the sentinels do not know")
  @ValueSource(strings = {"lettuce", "jedis"})
  void unknownMaster(String client) {
    try (SentinelGroup group = SentinelGroup.start(new EmbeddedServer().executable())) {
      ServerEndpoint.Sentinel endpoint = (ServerEndpoint.Sentinel) group.endpoint();
      String nodes =
          endpoint.sentinels().stream()
              .map(node -> node.host() + ":" + node.port())
              .collect(Collectors.joining(","));
      refuses(
          client,
          "another",
          "--spring.data.redis.sentinel.master=another",
          "--spring.data.redis.sentinel.nodes=" + nodes);
    }
  }

  @ParameterizedTest
  @DisplayName("a plain connection to a TLS port that answers with an alert")
  @ValueSource(strings = {"lettuce", "jedis"})
  void alert(String client) {
    try (FaultProxy proxy = FaultProxy.before(redis.url(), LocalCertificate.make())) {
      refuses(client, "", "--spring.data.redis.port=" + proxy.url().port());
    }
  }

  @ParameterizedTest
  @DisplayName("TLS to a plain port that answers with an error of RESP")
  @ValueSource(strings = {"lettuce", "jedis"})
  void errorInTheHandshake(String client) {
    try (ServerProcess full = new EmbeddedServer().executable().start("--maxclients", "1");
        RespConnection only = full.connect()) {
      only.call("PING");
      refuses(
          client,
          "",
          "--spring.data.redis.port=" + full.url().port(),
          "--spring.data.redis.ssl.enabled=true");
    }
  }

  /*
   * Spring Data's own factory for Jedis ends the start by itself where a cluster or Sentinel cannot
   * be used.
   */
  private static void refuses(String client, String reason, String... where) {
    assertThatThrownBy(() -> start(client, "30s", where).close())
        .as(client)
        .satisfiesAnyOf(
            thrown ->
                assertThat(thrown)
                    .hasStackTraceContaining(MisconfiguredException.class.getName())
                    .hasStackTraceContaining(reason),
            thrown ->
                assertThat(thrown)
                    .hasStackTraceContaining("JedisConnectionFactory.start")
                    .hasStackTraceContaining(reason));
    if (client.equals("jedis") && !where[0].startsWith("--spring.data.redis.port")) {
      return;
    }
    try (ConfigurableApplicationContext context = start(client, "0s", where)) {
      HttpCaller http = GreetingApplication.caller(context);
      for (int i = 0; i < 3; i++) {
        HttpResponse<String> response = http.get("/");
        assertThat(response.statusCode()).as(client).isEqualTo(503);
        assertThat(response.body()).contains("temporary-reduced-capacity");
      }
    }
  }

  private static ConfigurableApplicationContext start(String client, String wait, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--penstock.startup-wait=" + wait,
                "--penstock.on-unavailable=allow",
                "--penstock.deadline=20s",
                "--penstock.policies.api.limit=fixed-window:1000/1h"));
    arguments.addAll(List.of(more));
    return GreetingApplication.start(client, arguments.toArray(String[]::new));
  }
}
