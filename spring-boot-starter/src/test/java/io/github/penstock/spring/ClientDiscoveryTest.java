package io.github.penstock.spring;

import static io.github.penstock.spring.HttpCaller.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.LocalCertificate;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.SentinelGroup;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Jedis and Redisson over HTTP; each client that is made of Spring's details, on a cluster. */
class ClientDiscoveryTest {
  private static final Limit ONE = FixedWindow.of(1, Duration.ofHours(1));
  @AutoClose private static final ServerProcess redis = new EmbeddedServer().start();

  @Configuration(proxyBeanMethods = false)
  static class RedissonBean {
    @Bean(destroyMethod = "shutdown")
    RedissonClient redisson(DataRedisConnectionDetails details) {
      var single = details.getStandalone();
      Config config = new Config();
      config
          .useSingleServer()
          .setAddress("redis://" + single.getHost() + ":" + single.getPort())
          .setRetryAttempts(0);
      return Redisson.create(config);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class PlainApplication {}

  private static SpringApplicationBuilder on(String client, Class<?> application) {
    return client.equals("redisson")
        ? new SpringApplicationBuilder(application, RedissonBean.class)
        : new SpringApplicationBuilder(application);
  }

  private static String[] arguments(String client, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("--spring.config.name=limits", "--server.port=0"));
    arguments.add(
        switch (client) {
          case "jedis" -> "--spring.data.redis.client-type=jedis";
          case "redisson" -> "--penstock.client=redisson";
          default -> "--penstock.client=lettuce";
        });
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  @ParameterizedTest
  @DisplayName("the client that is there limits requests, and again after an outage")
  @CsvSource({"jedis, servlet", "jedis, reactive", "redisson, servlet", "redisson, reactive"})
  void overHttp(String client, String stack) throws Exception {
    boolean servlet = stack.equals("servlet");
    List<String> more = new ArrayList<>(servlet ? List.of() : ReactiveApplication.ARGUMENTS);
    more.add("--spring.data.redis.port=" + redis.url().port());
    try (ConfigurableApplicationContext context =
        on(client, servlet ? LimitedApplication.class : ReactiveApplication.class)
            .sources(JointPolicyRules.DenialCounting.class)
            .run(arguments(client, more.toArray(String[]::new)))) {
      int port = context.getEnvironment().getProperty("local.server.port", int.class, 0);
      HttpCaller http = new HttpCaller(port);
      String key = UUID.randomUUID().toString();
      for (int left = 2; left >= 0; left--) {
        assertThat(field(http.get("/api/a", "X-Api-Key", key), "RateLimit")).contains("r=" + left);
      }
      assertThat(http.get("/api/a", "X-Api-Key", key).statusCode()).isEqualTo(429);
      http.post("/actuator/penstock/api", "{\"enabled\":false}");
      assertThat(http.get("/api/a", "X-Api-Key", key).statusCode()).isEqualTo(200);
      http.post("/actuator/penstock/api", "{\"enabled\":true}");
      assertThat(http.get("/api/a", "X-Api-Key", key).statusCode()).isEqualTo(429);
      assertThat(field(http.get("/cost-texts?n=30", "X-Api-Key", key), "RateLimit"))
          .contains("r=70");
      JointPolicyRules joint =
          new JointPolicyRules(
              http,
              context.getBean(ResponseGate.class),
              context.getBean(JointPolicyRules.DenialCount.class));
      joint.allOrNone();
      joint.switches();
      joint.methods();
      joint.failures();
      joint.waiting();
      outage(http, redis::kill, redis::restart);
      outage(http, redis::freeze, redis::thaw);
    }
  }

  private static void outage(HttpCaller http, Runnable begin, Runnable end) {
    begin.run();
    try {
      // A call is denied until its client knows that the server does not answer, if another outage
      // has just ended.
      await()
          .atMost(Duration.ofMinutes(10))
          .until(() -> http.get("/open", "X-Api-Key", "o").statusCode() == 200);
      assertThat(http.get("/shut", "X-Api-Key", "s").statusCode()).isEqualTo(503);
      assertThat(http.get("/thrown", "X-Api-Key", "t").statusCode()).isEqualTo(503);
    } finally {
      end.run();
    }
    await().atMost(Duration.ofMinutes(10)).until(() -> limited(http));
  }

  private static boolean limited(HttpCaller http) {
    HttpResponse<String> response = http.get("/open", "X-Api-Key", UUID.randomUUID().toString());
    return response.headers().firstValue("RateLimit").isPresent();
  }

  @Test
  @DisplayName("with two clients a property must say which")
  void two() {
    assertThatThrownBy(
            () ->
                on("redisson", PlainApplication.class)
                    .web(WebApplicationType.NONE)
                    .run("--spring.data.redis.port=" + redis.url().port()))
        .hasStackTraceContaining("several Redis clients: lettuce, redisson");
  }

  @Test
  @DisplayName("on a cluster, by its nodes")
  void cluster() {
    try (ClusterDeployment cluster = ClusterDeployment.start(new EmbeddedServer().executable())) {
      String nodes =
          cluster.masters().stream()
              .map(node -> node.url().host() + ":" + node.url().port())
              .collect(Collectors.joining(","));
      limits("--spring.data.redis.cluster.nodes=" + nodes);
    }
  }

  @Test
  @DisplayName("through Sentinel")
  void sentinel() {
    try (SentinelGroup group = SentinelGroup.start(new EmbeddedServer().executable())) {
      ServerEndpoint.Sentinel endpoint = (ServerEndpoint.Sentinel) group.endpoint();
      String nodes =
          endpoint.sentinels().stream()
              .map(node -> node.host() + ":" + node.port())
              .collect(Collectors.joining(","));
      limits(
          "--spring.data.redis.sentinel.master=" + endpoint.masterName(),
          "--spring.data.redis.sentinel.nodes=" + nodes);
    }
  }

  @Test
  @DisplayName("with a pool of connections")
  void pool() {
    limits(
        "--spring.data.redis.port=" + redis.url().port(),
        "--spring.data.redis.lettuce.pool.enabled=true",
        "--spring.data.redis.jedis.pool.enabled=true",
        "--penstock.prefix=pool");
  }

  @Test
  @DisplayName("over TLS by an SSL bundle; a certificate that is not trusted, or another's, is not")
  void tls(@TempDir Path directory) throws IOException {
    LocalCertificate certificate = LocalCertificate.make();
    String trusted = certificate.writePem(directory).toUri().toString();
    try (FaultProxy proxy = FaultProxy.before(redis.url(), certificate)) {
      String port = "--spring.data.redis.port=" + proxy.url().port();
      String bundle = "--spring.ssl.bundle.pem.redis.truststore.certificate=" + trusted;
      String use = "--spring.data.redis.ssl.bundle=redis";
      limits("--spring.data.redis.host=localhost", port, bundle, use);
      for (String client : List.of("lettuce", "jedis")) {
        refuses(client, "--spring.data.redis.host=127.0.0.1", port, bundle, use);
        refuses(
            client,
            "--spring.data.redis.host=localhost",
            port,
            "--spring.data.redis.ssl.enabled=true");
      }
    }
  }

  @ParameterizedTest
  @DisplayName("a URL that begins with rediss is TLS, by the certificates that the JVM trusts")
  @ValueSource(strings = {"lettuce", "jedis"})
  void tlsByUrl(String client) {
    try (FaultProxy proxy = FaultProxy.before(redis.url(), LocalCertificate.make())) {
      assertThatThrownBy(
              () ->
                  on(client, PlainApplication.class)
                      .web(WebApplicationType.NONE)
                      .run(
                          arguments(
                              client,
                              "--spring.config.name=none",
                              "--penstock.deadline=30s",
                              "--spring.data.redis.url=rediss://localhost:" + proxy.url().port()))
                      .close())
          .hasStackTraceContaining(MisconfiguredException.class.getName())
          .hasStackTraceContaining("unable to find valid certification path");
    }
  }

  private static void refuses(String client, String... where) {
    List<String> more = new ArrayList<>(List.of(where));
    more.addAll(List.of("--spring.config.name=none", "--penstock.deadline=30s"));
    assertThatThrownBy(
            () ->
                on(client, PlainApplication.class)
                    .web(WebApplicationType.NONE)
                    .run(arguments(client, more.toArray(String[]::new)))
                    .close())
        .as(client + " " + more)
        .hasStackTraceContaining(MisconfiguredException.class.getName());
  }

  private static void limits(String... where) {
    for (String client : List.of("lettuce", "jedis")) {
      List<String> more = new ArrayList<>(List.of(where));
      more.addAll(List.of("--spring.config.name=none", "--penstock.deadline=30s"));
      try (ConfigurableApplicationContext context =
          on(client, PlainApplication.class)
              .web(WebApplicationType.NONE)
              .run(arguments(client, more.toArray(String[]::new)))) {
        RateLimiters limiters = context.getBean(RateLimiters.class);
        for (int i = 0; i < 20; i++) {
          assertThat(limiters.limiter(client, ONE).tryAcquire("u" + i).allowed()).isTrue();
          assertThat(limiters.limiter(client, ONE).tryAcquire("u" + i).allowed()).isFalse();
        }
      }
    }
  }
}
