package io.github.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEvents;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** What probes of health are told while Redis does not answer. */
class ReadinessTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class ProbedApplication {}

  @ParameterizedTest
  @DisplayName("ready after the first decision; live and healthy all the time, whatever is chosen")
  @ValueSource(strings = {"allow", "throw"})
  void firstDecision(String onUnavailable) {
    try (ServerProcess redis = new EmbeddedServer().start()) {
      redis.freeze();
      CompletableFuture<Integer> port = new CompletableFuture<>();
      CompletableFuture<ConfigurableApplicationContext> started =
          CompletableFuture.supplyAsync(() -> start(redis, onUnavailable, port));
      HttpCaller http = new HttpCaller(port.join());
      assertThat(http.get("/actuator/health/readiness").statusCode()).isEqualTo(503);
      // Spring Boot says so only once the application has started, after its web server.
      ServerEvents.await("liveness")
          .until(() -> http.get("/actuator/health/liveness").statusCode() == 200);
      assertThat(http.get("/actuator/health/readiness").statusCode()).isEqualTo(503);
      assertThat(started).isNotDone();
      redis.thaw();
      try (ConfigurableApplicationContext context = started.join()) {
        assertThat(context.isRunning()).isTrue();
        assertThat(http.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
        redis.freeze();
        for (String path : new String[] {"", "/readiness", "/liveness"}) {
          assertThat(http.get("/actuator/health" + path).statusCode()).as(path).isEqualTo(200);
        }
        redis.thaw();
      }
    }
  }

  private static ConfigurableApplicationContext start(
      ServerProcess redis, String onUnavailable, CompletableFuture<Integer> port) {
    ApplicationListener<WebServerInitializedEvent> listener =
        event -> port.complete(event.getWebServer().getPort());
    return new SpringApplicationBuilder(ProbedApplication.class)
        .listeners(listener)
        .run(
            "--spring.config.name=none",
            "--server.port=0",
            "--spring.data.redis.port=" + redis.url().port(),
            "--management.health.redis.enabled=false",
            "--management.endpoint.health.probes.enabled=true",
            "--penstock.startup-wait=1h",
            "--penstock.on-unavailable=" + onUnavailable,
            "--penstock.policies.api.exclude=",
            "--penstock.policies.api.order=-200",
            "--penstock.policies.api.paths=/api",
            "--penstock.policies.api.limit=fixed-window:1/1h");
  }
}
