package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.ServerUri;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.config.Config;

class RedissonConfigurationTest {
  private static final Limit LIMIT = FixedWindow.of(10, Duration.ofHours(1));
  private static final RateLimiterOptions PATIENT =
      RateLimiterOptions.builder().deadline(Duration.ofMinutes(1)).build();
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    server = new EmbeddedServer().start();
    server.call("ACL", "SETUSER", "limiter", "on", ">secret", "~*", "&*", "+@all");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  @DisplayName("the client's name is the configuration's, the rest the URI's, and it is copied")
  void uriPrecedes() {
    Config config = new Config();
    config.useSingleServer().setClientName("by-config").setAddress("redis://127.0.0.1:1");
    String uri = server.url().toString().replace("//", "//limiter:secret@") + "/3";
    try (RedissonRateLimiters limiters = RedissonRateLimiters.connect(uri, config, PATIENT)) {
      assertThat(limiters.limiter("api", LIMIT).tryAcquire("u").allowed()).isTrue();
      assertThat(String.valueOf(server.call("CLIENT", "LIST")).lines())
          .filteredOn(line -> line.contains("cmd=eval"))
          .allMatch(line -> line.contains("name=by-config"))
          .allMatch(line -> line.contains("user=limiter"))
          .anyMatch(line -> line.contains("db=3"));
    }
    assertThat(config.useSingleServer().getAddress()).isEqualTo("redis://127.0.0.1:1");
  }

  @Test
  @DisplayName("a configuration of another kind of deployment is refused")
  void otherKind() {
    Config config = new Config();
    config.useSingleServer();
    assertThatIllegalStateException()
        .isThrownBy(
            () -> RedissonRateLimiters.connect("redis-cluster://127.0.0.1:1", config, PATIENT))
        .withMessageStartingWith("config must be for the uri's kind of deployment, or for none: ");
  }

  @Test
  @DisplayName("one sentinel is enough, as with the other clients")
  void oneSentinel() {
    ServerUri uri = ServerUri.parse("redis-sentinel://a#m");
    assertThat(List.of(UriConfiguration.bounded(uri, PATIENT), placed(uri)))
        .map(Config::useSentinelServers)
        .allMatch(sentinels -> !sentinels.isCheckSentinelsList())
        .allMatch(sentinels -> sentinels.getMasterName().equals("m"));
  }

  @Test
  @DisplayName("the database is the URI's if it gives one, and else the configuration's")
  void database() {
    Config config = new Config();
    config.useSingleServer().setDatabase(7);
    assertThat(Stream.of("redis://a", "redis://a/0", "redis://a/3").map(ServerUri::parse))
        .map(uri -> UriConfiguration.placed(config, uri).useSingleServer().getDatabase())
        .containsExactly(7, 0, 3);
  }

  private static Config placed(ServerUri uri) {
    return UriConfiguration.placed(new Config(), uri);
  }
}
