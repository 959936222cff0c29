package io.github.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Actuator on a port of its own. */
class ManagementPortTest {
  /* The test has Tomcat and Netty. */
  private static final String SECOND_SERVER =
      "org.springframework.boot.tomcat.autoconfigure.actuate.web.server"
          + ".TomcatReactiveManagementContextAutoConfiguration";
  private static final List<String> ARGUMENTS =
      List.of(
          "--spring.config.name=none",
          "--server.port=0",
          "--management.server.port=0",
          "--management.endpoints.web.base-path=/",
          "--spring.autoconfigure.exclude=" + SECOND_SERVER,
          "--penstock.deadline=30s",
          "--penstock.policies.methods.limit=fixed-window:1/1h",
          "--penstock.policies.methods.at=method",
          "--penstock.policies.changed-methods.limit=fixed-window:1/1h",
          "--penstock.policies.changed-methods.at=method",
          "--penstock.policies.member-methods.limit=fixed-window:1/1h",
          "--penstock.policies.member-methods.at=method",
          "--penstock.policies.member-methods.also=tenant-methods",
          "--penstock.policies.tenant-methods.limit=fixed-window:1/1h",
          "--penstock.policies.tenant-methods.at=also",
          "--penstock.policies.filtered.limit=fixed-window:100/1h",
          "--penstock.policies.handled.limit=fixed-window:50/1h",
          "--penstock.policies.handled.at=handler");

  @ParameterizedTest
  @DisplayName("its endpoints are not counted, whatever their paths are; what else has its port is")
  @ValueSource(classes = {LimitedApplication.class, ReactiveApplication.class})
  void health(Class<?> application) {
    boolean reactive = application == ReactiveApplication.class;
    try (ServerProcess redis = new EmbeddedServer().start()) {
      List<String> arguments = new ArrayList<>(ARGUMENTS);
      arguments.add("--spring.data.redis.port=" + redis.url().port());
      arguments.add("--spring.main.web-application-type=" + (reactive ? "reactive" : "servlet"));
      try (ConfigurableApplicationContext context =
          new SpringApplicationBuilder(application).run(arguments.toArray(String[]::new))) {
        HttpResponse<String> health = caller(context, "management").get("/health");
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.headers().firstValue("RateLimit")).isEmpty();
        assertThat((List<?>) redis.call("KEYS", "penstock:*127*")).isEmpty();
        HttpResponse<String> hello = caller(context, "server").get("/crowd");
        assertThat(HttpCaller.field(hello, "RateLimit")).startsWith("\"handled\";r=49");
      }
    }
  }

  private static HttpCaller caller(ConfigurableApplicationContext context, String which) {
    return new HttpCaller(
        context.getEnvironment().getProperty("local." + which + ".port", int.class, 0));
  }
}
