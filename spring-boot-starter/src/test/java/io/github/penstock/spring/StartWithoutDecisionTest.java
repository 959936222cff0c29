package io.github.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Nothing is set up wrong: the application starts, whether Redis can decide or not. */
class StartWithoutDecisionTest {
  private static ConfigurableApplicationContext start(String client, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("--penstock.policies.api.limit=fixed-window:100/1h"));
    arguments.addAll(List.of(more));
    return GreetingApplication.start(client, arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @DisplayName("its memory is full: requests are denied until it has room")
  @CsvSource({"lettuce, allow", "jedis, allow", "redisson, allow", "lettuce, throw"})
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
    try (ServerProcess redis = new EmbeddedServer().start()) {
      for (int i = 0; i < 3; i++) {
        try (ConfigurableApplicationContext context =
            start(
                client,
                "--spring.data.redis.port=" + redis.url().port(),
                "--penstock.deadline=30s",
                "--penstock.startup-wait=0s")) {
          assertThat(GreetingApplication.caller(context).get("/").statusCode()).isEqualTo(200);
        }
      }
    }
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
