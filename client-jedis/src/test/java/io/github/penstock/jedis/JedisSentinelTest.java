package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.SentinelGroup;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisSentinelClient;

class JedisSentinelTest {
  private static final Limit LIMIT = FixedWindow.of(10, Duration.ofHours(1));
  private static final JedisClientConfig PLAIN = DefaultJedisClientConfig.builder().build();
  private static final RateLimiterOptions OPTIONS =
      RateLimiterOptions.builder().deadline(Duration.ofSeconds(30)).build();

  @Test
  @DisplayName("the application's client charges the master that Sentinel names, and stays open")
  void master() {
    try (SentinelGroup group = SentinelGroup.start(new EmbeddedServer().executable())) {
      ServerEndpoint.Sentinel endpoint = (ServerEndpoint.Sentinel) group.endpoint();
      String master = endpoint.masterName();
      Set<HostAndPort> sentinels =
          endpoint.sentinels().stream()
              .map(url -> new HostAndPort(url.host(), url.port()))
              .collect(Collectors.toSet());
      try (RedisSentinelClient client =
          RedisSentinelClient.builder()
              .masterName(master)
              .sentinels(sentinels)
              .clientConfig(PLAIN)
              .sentinelClientConfig(PLAIN)
              .build()) {
        try (JedisRateLimiters limiters = JedisRateLimiters.using(client, OPTIONS)) {
          limiters.loadFunctions();
          assertThat(limiters.limiter("api", LIMIT).tryAcquire("u").remaining()).isEqualTo(9);
        }
        assertThat(client.ping()).isEqualTo("PONG");
      }
    }
  }

  @Test
  @DisplayName("a primary that moved unheard is asked for again")
  void unheard() {
    try (SentinelGroup group = SentinelGroup.start(new EmbeddedServer().executable())) {
      RedisUrl sentinel = ((ServerEndpoint.Sentinel) group.endpoint()).sentinels().get(0);
      try (FaultProxy proxy = FaultProxy.before(sentinel);
          JedisRateLimiters limiters = connect(proxy.url())) {
        RateLimiter api = limiters.limiter("api", LIMIT);
        assertThat(api.tryAcquire("u").remaining()).isEqualTo(9);
        proxy.set(NetworkFault.SILENT);
        ServerProcess old = group.primary();
        ServerProcess promoted = group.failover();
        assertThat(api.tryAcquire("u").remaining()).isEqualTo(8);
        old.call("REPLICAOF", promoted.url().host(), Integer.toString(promoted.url().port()));
        ServerEvents.await("a decision").until(() -> decides(api));
      }
    }
  }

  private static JedisRateLimiters connect(RedisUrl sentinel) {
    ServerEndpoint one = new ServerEndpoint.Sentinel(SentinelGroup.MASTER_NAME, List.of(sentinel));
    return JedisRateLimiters.connect(one.uri(), OPTIONS);
  }

  private static boolean decides(RateLimiter api) {
    try {
      return api.tryAcquire("u").enforced();
    } catch (NoDecisionException readOnly) {
      return false;
    }
  }
}
