package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.compat.suite.GivenClients;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

class JedisRateLimitersTest {
  private static final Limit HUNDRED = TokenBucket.of(100).refill(10, Duration.ofHours(1));
  @AutoClose private static final ServerProcess server = new EmbeddedServer().start();
  private final RateLimiterOptions options =
      RateLimiterOptions.builder()
          .prefix(UUID.randomUUID().toString())
          .deadline(Duration.ofSeconds(30))
          .build();

  @Test
  @DisplayName("the application's client stays open, and keeps its own time-outs")
  void usersClient() {
    try (RedisClient client = RedisClient.create(address())) {
      try (JedisRateLimiters limiters = JedisRateLimiters.using(client, options)) {
        assertThat(limiters.limiter("api", HUNDRED).tryAcquire("u").allowed()).isTrue();
      }
      assertThat(client.ping()).isEqualTo("PONG");
      try (var connection = client.getPool().getResource()) {
        assertThat(connection.getSoTimeout()).isEqualTo(2_000);
      }
      assertThat(client.getPool().getNumActive()).isZero();
    }
    try (UnifiedJedis other =
        new UnifiedJedis(new PooledConnectionProvider(address()), RedisProtocol.RESP2) {}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> JedisRateLimiters.using(other, options))
          .withMessageStartingWith("client must be a RedisClient");
    }
  }

  @Test
  @DisplayName("a client that the application has closed is a mistake, and no outage")
  void closedClient() {
    RedisClient client = RedisClient.create(server.url().toString());
    GivenClients.closed(
        given -> JedisRateLimiters.using(client, given),
        client::close,
        "the client that was passed in is closed");
  }

  private static HostAndPort address() {
    return new HostAndPort(server.url().host(), server.url().port());
  }
}
