package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.FixedWindow;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisSentinelClient;
import redis.embedded.RedisSentinel;
import redis.embedded.RedisSentinelBuilder;

class SentinelTest {
  private static final FixedWindow LIMIT = FixedWindow.of(10, Duration.ofHours(1));
  private static final JedisClientConfig PLAIN = DefaultJedisClientConfig.builder().build();

  @Test
  @DisplayName(
      "the master that Sentinel names is charged, by a client of our own and by the application's")
  void master() {
    int port = LiveServer.freePort();
    try (LiveServer server = new LiveServer()) {
      RedisSentinel sentinel =
          new RedisSentinelBuilder()
              .bind("127.0.0.1")
              .port(port)
              .masterName("main")
              .masterPort(server.address().getPort())
              .quorumSize(1)
              .build();
      sentinel.start();
      try {
        Set<HostAndPort> sentinels = Set.of(new HostAndPort("127.0.0.1", port));
        charge(
            JedisRateLimiters.connectSentinel(
                "main", sentinels, PLAIN, PLAIN, RateLimiterOptions.defaults()),
            9);
        try (RedisSentinelClient client =
            RedisSentinelClient.builder()
                .masterName("main")
                .sentinels(sentinels)
                .clientConfig(PLAIN)
                .sentinelClientConfig(PLAIN)
                .build()) {
          charge(JedisRateLimiters.using(client), 8);
          assertThat(client.ping()).isEqualTo("PONG");
        }
      } finally {
        sentinel.stop();
      }
    }
  }

  private static void charge(JedisRateLimiters limiters, long remaining) {
    try (limiters) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      limiters.loadFunctions();
      assertThat(api.tryAcquire("u").remaining()).isEqualTo(remaining);
    }
  }
}
