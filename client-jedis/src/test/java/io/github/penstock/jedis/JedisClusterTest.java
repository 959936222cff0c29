package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.suite.GivenClients;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.server.CommandCount;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.ReplicaSync;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.exceptions.JedisMovedDataException;

class JedisClusterTest {
  private static final Limit LIMIT = FixedWindow.of(1_000, Duration.ofHours(1));

  @AutoClose
  private static final ClusterDeployment cluster =
      ClusterDeployment.start(new EmbeddedServer().executable());

  private static final ServerProcess replica = cluster.addReplica(cluster.master(0));
  /* The deadline is longer than any machine needs, where it is not what is tested. */
  private final RateLimiterOptions options =
      RateLimiterOptions.builder()
          .prefix(UUID.randomUUID().toString())
          .deadline(Duration.ofSeconds(30))
          .build();

  @Test
  @DisplayName("a client that the application has closed is a mistake, and no outage")
  void closedClient() {
    RedisClusterClient client = RedisClusterClient.create(Set.of(address(cluster.master(0))));
    GivenClients.closed(
        given -> JedisRateLimiters.using(client, given),
        client::close,
        "the client that was passed in is closed");
  }

  @Test
  @DisplayName("the application's own cluster client, with its retries, is charged once per call")
  void usersClient() {
    Set<HostAndPort> nodes = Set.of(address(cluster.master(0)), address(cluster.master(1)));
    try (RedisClusterClient client = RedisClusterClient.create(nodes);
        JedisRateLimiters limiters = JedisRateLimiters.using(client, options)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      assertThat(api.tryAcquire("u").remaining()).isEqualTo(999);
      assertThat(api.tryAcquireAll(List.of("u", "v", "u")))
          .allMatch(Outcome.Decided.class::isInstance);
      assertThat(api.peek("u").remaining()).isEqualTo(997);
    }
  }

  @Test
  @DisplayName("a peek may go to a replica, a charge never does")
  void replicas() {
    try (JedisRateLimiters limiters = connect(options.toBuilder().peekOnReplicas(true).build())) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      String subject =
          IntStream.range(0, 100)
              .mapToObj(i -> "r" + i)
              .filter(s -> cluster.owner(s) == cluster.master(0))
              .findFirst()
              .orElseThrow();
      long charged = CommandCount.of(replica, "evalsha").calls();
      api.tryAcquire(subject, 400);
      ReplicaSync.await(cluster.master(0), replica);
      assertThat(api.peek(subject).remaining()).isEqualTo(600);
      assertThat(CommandCount.of(replica, "evalsha_ro").calls()).isPositive();
      assertThat(CommandCount.of(replica, "evalsha").calls()).isEqualTo(charged);
    }
  }

  @Test
  @DisplayName("F2.2 a call that is redirected without time to follow is late, and no outage")
  void redirectedLate() {
    HostAndPort node = address(cluster.master(0));
    try (RedisClusterClient client = RedisClusterClient.create(Set.of(node))) {
      JedisTransport transport = JedisTransport.of(NodePools.of(client, null), true);
      ScriptCall late =
          new ScriptCall(
              ScriptCall.Verb.EVALSHA,
              LuaScript.FIXED_WINDOW,
              new byte[] {'k'},
              new byte[] {'1'},
              new byte[][] {},
              TimeSource.SYSTEM.nanos(),
              TimeSource.SYSTEM);
      JedisMovedDataException moved = new JedisMovedDataException("MOVED 1 " + node, node, 1);
      assertThatThrownBy(() -> transport.follow(moved, late))
          .isInstanceOf(NotSentException.class)
          .hasRootCauseInstanceOf(TimeoutException.class);
    }
  }

  private static JedisRateLimiters connect(RateLimiterOptions options) {
    return JedisRateLimiters.connect(cluster.endpoint().uri(), options);
  }

  private static HostAndPort address(TestServer server) {
    return new HostAndPort(server.url().host(), server.url().port());
  }
}
