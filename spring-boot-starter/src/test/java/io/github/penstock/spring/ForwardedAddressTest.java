package io.github.penstock.spring;

import static io.github.penstock.spring.HttpCaller.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Whose address a request counts for, behind a proxy and without one. */
class ForwardedAddressTest {
  @AutoClose private static final ServerProcess redis = new EmbeddedServer().start();

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class BareApplication {}

  @ParameterizedTest
  @DisplayName(
      "the server says the address: no header is read until forward-headers-strategy says so; X-RateLimit fields are written once")
  @CsvSource({
    "servlet, none, address:127.0.0.1",
    "servlet, native, address:192.0.2.9",
    "servlet, framework, address:192.0.2.9",
    "reactive, none, address:127.0.0.1",
    "reactive, native, address:192.0.2.9",
    "reactive, framework, address:192.0.2.9"
  })
  void address(String stack, String strategy, String subject) {
    redis.call("FLUSHALL");
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(BareApplication.class)
            .run(
                "--spring.config.name=none",
                "--spring.main.web-application-type=" + stack,
                "--server.port=0",
                "--server.forward-headers-strategy=" + strategy,
                "--spring.data.redis.port=" + redis.url().port(),
                "--penstock.deadline=30s",
                "--penstock.headers=x-rate-limit",
                "--penstock.policies.a.order=-200",
                "--penstock.policies.a.limit=fixed-window:9/1h",
                "--penstock.policies.b.order=-200",
                "--penstock.policies.b.limit=fixed-window:2/1h",
                "--penstock.policies.c.order=-200",
                "--penstock.policies.c.limit=fixed-window:5/1h")) {
      HttpCaller http =
          new HttpCaller(context.getEnvironment().getProperty("local.server.port", int.class, 0));
      HttpResponse<String> response =
          http.get("/", "X-Forwarded-For", "192.0.2.9", "X-Real-IP", "192.0.2.10");
      assertThat(field(response, "X-RateLimit-Limit")).isEqualTo("2");
      assertThat(field(response, "X-RateLimit-Remaining")).isEqualTo("1");
      assertThat((List<?>) redis.call("KEYS", "penstock:b:{" + subject + "}*")).hasSize(1);
    }
  }
}
