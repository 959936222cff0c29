package io.github.penstock.spring;

import static io.github.penstock.spring.HttpCaller.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.RedisClient;

/** The cache of an application on one server, its limits on another, with all options. */
class TwoServersTest {
  private final ServerProcess cache = new EmbeddedServer().start();
  private final ServerProcess limits = new EmbeddedServer().start();

  @AfterEach
  void stop() {
    cache.close();
    limits.close();
  }

  /** Clients of the server of the limits, beside the cache's. */
  @Configuration(proxyBeanMethods = false)
  static class ServerBeans {
    @Bean
    @Primary
    LettuceConnectionFactory cache(@Value("${spring.data.redis.port}") int port) {
      return new LettuceConnectionFactory("127.0.0.1", port);
    }

    @Bean
    LettuceConnectionFactory lettuceLimits(@Value("${limits.port}") int port) {
      return new LettuceConnectionFactory("127.0.0.1", port);
    }

    @Bean
    @Lazy
    RedisClient jedisLimits(@Value("${limits.port}") int port) {
      return RedisClient.create("127.0.0.1", port);
    }

    @Bean(destroyMethod = "shutdown")
    @Lazy
    RedissonClient redissonLimits(@Value("${limits.port}") int port) {
      Config config = new Config();
      config.useSingleServer().setAddress("redis://127.0.0.1:" + port).setRetryAttempts(0);
      return Redisson.create(config);
    }
  }

  private String[] arguments(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--spring.config.name=none",
                "--server.port=0",
                "--spring.data.redis.port=" + cache.url().port(),
                "--limits.port=" + limits.url().port(),
                "--penstock.prefix=yaml",
                "--penstock.deadline=20s",
                "--penstock.on-unavailable=allow",
                "--penstock.policies.api.limit=fixed-window:2/1h",
                "--penstock.policies.api.paths=/api",
                "--penstock.policies.own.limit=fixed-window:2/1h",
                "--penstock.policies.own.paths=/own",
                "--penstock.policies.own.deadline=300ms",
                "--penstock.policies.own.on-unavailable=deny"));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  @ParameterizedTest
  @DisplayName("by a URL, with the YAML's prefix, deadline, on-unavailable and meters")
  @ValueSource(strings = {"lettuce", "jedis", "redisson"})
  void byUrl(String client) {
    String url = "redis://127.0.0.1:" + limits.url().port();
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(GreetingApplication.class)
            .run(arguments("--penstock.client=" + client, "--penstock.redis.url=" + url))) {
      decidesOnLimits(context);
    }
  }

  @ParameterizedTest
  @DisplayName("by a bean, with the same")
  @ValueSource(strings = {"lettuce", "jedis", "redisson"})
  void byBean(String client) {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(GreetingApplication.class, ServerBeans.class)
            .run(arguments("--penstock.redis.bean=" + client + "Limits"))) {
      decidesOnLimits(context);
    }
  }

  private void decidesOnLimits(ConfigurableApplicationContext context) {
    HttpCaller http = GreetingApplication.caller(context);
    for (String path : List.of("/api", "/own")) {
      assertThat(field(http.get(path), "RateLimit")).contains("r=1");
      assertThat(field(http.get(path), "RateLimit")).contains("r=0");
      assertThat(http.get(path).statusCode()).isEqualTo(429);
    }
    assertThat((List<?>) limits.call("KEYS", "yaml:api:{address:*")).hasSize(1);
    assertThat((List<?>) limits.call("KEYS", "yaml:own:{address:*")).hasSize(1);
    assertThat((List<?>) cache.call("KEYS", "*")).isEmpty();
    MeterRegistry registry = context.getBean(MeterRegistry.class);
    for (String policy : List.of("api", "own")) {
      assertThat(
              registry.get("penstock.calls").tags("policy", policy, "outcome", "denied").timers())
          .as(policy)
          .isNotEmpty();
    }
    limits.kill();
    HttpResponse<String> denied = http.get("/own?" + context.getId());
    assertThat(denied.statusCode()).isIn(429, 503);
    assertThat(cache.call("PING")).isNotNull();
  }

  @Test
  @DisplayName("what names no server, or two, ends the start, and shows no password")
  void mistakes() {
    for (String[] wrong :
        new String[][] {
          {"penstock.redis.bean: there is no bean", "--penstock.redis.bean=limites"},
          {
            "is a io.github.penstock.spring.GreetingApplication",
            "--penstock.redis.bean=greetingApplication"
          },
          {"either a url or a bean", "--penstock.redis.bean=x", "--penstock.redis.url=redis://a"},
          {
            "penstock.redis.url: ",
            "--penstock.redis.url=http://u:se-cret@a",
            "--penstock.client=lettuce"
          },
          {"needs one library", "--penstock.redis.url=redis://a", "--penstock.client=local"},
        }) {
      assertThatThrownBy(
              () ->
                  new SpringApplicationBuilder(GreetingApplication.class)
                      .run(arguments(java.util.Arrays.copyOfRange(wrong, 1, wrong.length)))
                      .close())
          .hasStackTraceContaining(wrong[0])
          .satisfies(
              thrown ->
                  assertThat(org.assertj.core.util.Throwables.getStackTrace(thrown))
                      .doesNotContain("se-cret"));
    }
  }
}
