package io.github.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Nothing is set up wrong: the application starts, whether Redis can decide or not. */
@ExtendWith(OutputCaptureExtension.class)
class StartWithoutDecisionTest {
  private static ConfigurableApplicationContext start(String client, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("--penstock.policies.api.limit=fixed-window:100/1h"));
    arguments.addAll(List.of(more));
    return GreetingApplication.start(client, arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @DisplayName("its memory is full: requests are denied until it has room")
  @CsvSource({"lettuce, throw", "jedis, allow", "redisson, allow"})
  void fullMemory(String client, String onUnavailable) {
    try (ServerProcess redis = new EmbeddedServer().start()) {
      redis.call("CONFIG", "SET", "maxmemory", "1");
      try (ConfigurableApplicationContext context =
          start(
              client,
              "--spring.data.redis.port=" + redis.url().port(),
              "--penstock.deadline=1s",
              "--penstock.startup-wait=500ms",
              "--penstock.on-unavailable=" + onUnavailable)) {
        HttpCaller http = GreetingApplication.caller(context);
        assertThat(http.get("/").statusCode()).isEqualTo(503);
        redis.call("CONFIG", "SET", "maxmemory", "0");
        await().atMost(Duration.ofMinutes(10)).until(() -> http.get("/").statusCode() == 200);
      }
    }
  }

  @ParameterizedTest
  @DisplayName("a wait of 0 s")
  @ValueSource(strings = {"lettuce", "jedis", "redisson"})
  void noWait(String client) {
    try (ServerProcess redis = new EmbeddedServer().start();
        ConfigurableApplicationContext context =
            start(
                client,
                "--spring.data.redis.port=" + redis.url().port(),
                "--penstock.deadline=30s",
                "--penstock.startup-wait=0s")) {
      assertThat(GreetingApplication.caller(context).get("/").statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @DisplayName("a cluster or Sentinel of Boot's own properties that is down")
  @CsvSource({
    "lettuce, throw, cluster.nodes=127.0.0.1:1, cluster.max-redirects=3",
    "jedis, allow, cluster.nodes=127.0.0.1:1, cluster.max-redirects=3",
    "lettuce, allow, sentinel.nodes=127.0.0.1:1, sentinel.master=mymaster",
    "jedis, throw, sentinel.nodes=127.0.0.1:1, sentinel.master=mymaster"
  })
  void bootsDeploymentDown(String client, String onUnavailable, String where, String more) {
    try (ConfigurableApplicationContext context =
        start(
            client,
            "--spring.data.redis.client-type=lettuce",
            "--spring.data.redis." + where,
            "--spring.data.redis." + more,
            "--penstock.on-unavailable=" + onUnavailable,
            "--penstock.deadline=1s",
            "--penstock.startup-wait=500ms")) {
      assertThat(GreetingApplication.caller(context).get("/").statusCode())
          .isEqualTo(onUnavailable.equals("allow") ? 200 : 503);
    }
  }

  @Test
  @DisplayName(
      "Spring Data's factory for Jedis ends the start; the log has the property that helps")
  void springDataEndsIt(CapturedOutput output) {
    assertThatThrownBy(() -> start("jedis", "--spring.data.redis.cluster.nodes=127.0.0.1:1"))
        .isNotNull();
    assertThat(output)
        .contains("APPLICATION FAILED TO START")
        .contains("Spring Data's connection factory for Jedis")
        .contains("spring.data.redis.client-type=lettuce");
  }

  @ParameterizedTest
  @DisplayName("a cluster or Sentinel that is down")
  @CsvSource({
    "lettuce, redis-cluster://127.0.0.1:1",
    "jedis, redis-cluster://127.0.0.1:1",
    "redisson, redis-cluster://127.0.0.1:1",
    "lettuce, redis-sentinel://127.0.0.1:1#mymaster",
    "jedis, redis-sentinel://127.0.0.1:1#mymaster",
    "redisson, redis-sentinel://127.0.0.1:1#mymaster"
  })
  void deploymentDown(String client, String url) {
    try (ServerProcess cache = new EmbeddedServer().start();
        ConfigurableApplicationContext context =
            start(
                client,
                "--spring.data.redis.port=" + cache.url().port(),
                "--penstock.redis.url=" + url,
                "--penstock.deadline=1s",
                "--penstock.startup-wait=500ms")) {
      assertThat(GreetingApplication.caller(context).get("/").statusCode()).isEqualTo(503);
    }
  }
}
