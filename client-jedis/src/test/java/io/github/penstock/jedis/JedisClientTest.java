package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.suite.GivenClients;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.UnifiedJedis;

/** The client that the application has at the time, and one that cannot connect. */
class JedisClientTest {
  private static final Limit LIMIT = FixedWindow.of(1_000_000, Duration.ofHours(1));
  private final RateLimiterOptions options =
      RateLimiterOptions.builder().deadline(Duration.ofSeconds(60)).build();
  @AutoClose private final ServerProcess server = new EmbeddedServer().start();

  @Test
  @DisplayName("a supplier is asked once, and again when the client was closed and replaced")
  void replaced() {
    HostAndPort address = new HostAndPort(server.url().host(), server.url().port());
    replaced(() -> RedisClient.create(address));
  }

  @Test
  @DisplayName("so it is for a cluster's client")
  void replacedOfCluster() {
    try (ClusterDeployment cluster =
        ClusterDeployment.start(new EmbeddedServer().executable(), 1)) {
      var node = cluster.masters().get(0).url();
      Set<HostAndPort> nodes = Set.of(new HostAndPort(node.host(), node.port()));
      replaced(() -> RedisClusterClient.create(nodes));
    }
  }

  private static void replaced(Supplier<UnifiedJedis> connecting) {
    try (UnifiedJedis last =
        GivenClients.<UnifiedJedis>replaced(
            connecting, UnifiedJedis::close, JedisRateLimiters::using)) {
      assertThat(last.ping()).isEqualTo("PONG");
    }
  }

  @Test
  @DisplayName("a server that restarted costs one call, however many connections lay idle")
  void idleConnections() {
    HostAndPort address = new HostAndPort(server.url().host(), server.url().port());
    try (RedisClient client = RedisClient.create(address);
        JedisRateLimiters limiters = JedisRateLimiters.using(client, options)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      List<Connection> busy =
          IntStream.range(0, 8).mapToObj(i -> client.getPool().getResource()).toList();
      busy.forEach(Connection::close);
      assertThat(client.getPool().getNumIdle()).isEqualTo(8);
      server.restart();
      assertThatThrownBy(() -> api.tryAcquire("u")).isInstanceOf(MayHaveBeenChargedException.class);
      ServerEvents.await("no connection lies idle").until(() -> client.getPool().getNumIdle() == 0);
      for (int i = 1; i <= 8; i++) {
        assertThat(api.tryAcquire("u").remaining()).isEqualTo(1_000_000 - i);
      }
    }
  }

  @Test
  @DisplayName("a client that is closed ends calls that wait for a connection, and interrupts none")
  void closedWhileWaiting() {
    ConnectionPoolConfig one = new ConnectionPoolConfig();
    one.setMaxTotal(1);
    HostAndPort address = new HostAndPort(server.url().host(), server.url().port());
    try (RedisClient client = RedisClient.builder().hostAndPort(address).poolConfig(one).build();
        JedisRateLimiters limiters = JedisRateLimiters.using(client, options);
        Connection busy = client.getPool().getResource()) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      CompletableFuture<Boolean> interrupted =
          CompletableFuture.supplyAsync(
              () -> {
                assertThatThrownBy(() -> api.tryAcquire("u"))
                    .isExactlyInstanceOf(MisconfiguredException.class);
                return Thread.interrupted();
              },
              call -> new Thread(call).start());
      ServerEvents.await("a call that waits").until(() -> client.getPool().getNumWaiters() == 1);
      client.getPool().close();
      assertThat(interrupted).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(false);
      assertThat(busy.isConnected()).isTrue();
    }
  }

  @LoadTest
  @Test
  @DisplayName("a pool whose connections are all in use is overloaded while the server answers")
  void overloaded() {
    ConnectionPoolConfig one = new ConnectionPoolConfig();
    one.setMaxTotal(1);
    one.setBlockWhenExhausted(false);
    HostAndPort address = new HostAndPort(server.url().host(), server.url().port());
    try (RedisClient client = RedisClient.builder().hostAndPort(address).poolConfig(one).build();
        Connection busy = client.getPool().getResource()) {
      assertThat(refusal(client, Duration.ofMinutes(10))).isInstanceOf(OverloadedException.class);
      assertThat(refusal(client, Duration.ofMillis(1))).isInstanceOf(OverloadedException.class);
      assertThat(busy.ping()).isTrue();
    }
  }

  private Throwable refusal(RedisClient client, Duration deadline) {
    RateLimiterOptions throwing =
        options.toBuilder().deadline(deadline).onOverload(OnOverload.THROW).build();
    try (JedisRateLimiters limiters = JedisRateLimiters.using(client, throwing)) {
      return catchThrowable(() -> limiters.limiter("api", LIMIT).tryAcquire("u"));
    }
  }
}
