package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;

class JedisConfigurationTest {
  private static final Limit LIMIT = FixedWindow.of(10, Duration.ofHours(1));
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    server = new EmbeddedServer().start();
    call("ACL", "SETUSER", "limiter", "on", ">secret", "~*", "&*", "+@all");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  @DisplayName("the client's name is the configuration's; the URI's user and database precede it")
  void uriPrecedes() {
    JedisClientConfig config =
        DefaultJedisClientConfig.builder()
            .clientName("by-config")
            .user("nobody")
            .password("wrong")
            .database(7)
            .build();
    String uri = "redis://limiter:secret@127.0.0.1:" + server.url().port() + "/3";
    assertThat(connection(uri, config)).contains("name=by-config", "user=limiter", "db=3");
  }

  @Test
  @DisplayName("what the URI does not say is the configuration's")
  void configuration() {
    JedisClientConfig config =
        DefaultJedisClientConfig.builder().user("limiter").password("secret").database(7).build();
    String uri = "redis://127.0.0.1:" + server.url().port();
    assertThat(connection(uri, config)).contains("user=limiter", "db=7");
    assertThat(connection(uri + "/0", config)).contains("user=limiter", "db=0");
  }

  /* The server's line about the connection that made the call. */
  private static String connection(String uri, JedisClientConfig config) {
    try (JedisRateLimiters limiters =
        JedisRateLimiters.connect(
            uri, config, RateLimiterOptions.builder().deadline(Duration.ofMinutes(1)).build())) {
      assertThat(limiters.limiter("api", LIMIT).tryAcquire("u").allowed()).isTrue();
      return String.valueOf(call("CLIENT", "LIST"))
          .lines()
          .filter(line -> line.contains("cmd=eval"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static Object call(String... command) {
    try (RespConnection connection = server.connect()) {
      return connection.call(command);
    }
  }
}
