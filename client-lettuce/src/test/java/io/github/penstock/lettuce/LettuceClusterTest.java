package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.server.CommandCount;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.ReplicaSync;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LettuceClusterTest {
  private static final Limit LIMIT = FixedWindow.of(1_000, Duration.ofHours(1));
  private static final List<String> SUBJECTS =
      IntStream.range(0, 60).mapToObj(i -> "subject" + i).toList();
  /* The deadline is longer than any machine needs, where it is not what is tested. */
  private static final RateLimiterOptions OPTIONS =
      RateLimiterOptions.builder().deadline(Duration.ofSeconds(30)).build();

  @AutoClose
  private static final ClusterDeployment cluster =
      ClusterDeployment.start(new EmbeddedServer().executable());

  private static final ServerProcess replica = cluster.addReplica(cluster.master(0));

  static Stream<ClusterClientOptions> userOptions() {
    return Stream.of(
        ClusterClientOptions.create(),
        ClusterClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .build());
  }

  @ParameterizedTest
  @MethodSource("userOptions")
  @DisplayName("the first calls on the application's connection, which stays open")
  void usersConnection(ClusterClientOptions options) {
    RedisClusterClient client = client(options);
    try (StatefulRedisClusterConnection<String, String> connection = client.connect()) {
      try (LettuceRateLimiters limiters = LettuceRateLimiters.using(connection, OPTIONS)) {
        RateLimiter api = limiters.limiter("own" + options.getDisconnectedBehavior(), LIMIT);
        SUBJECTS.forEach(subject -> assertThat(api.tryAcquire(subject).remaining()).isEqualTo(999));
      }
      assertThat(connection.isOpen()).isTrue();
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("a peek goes to the replica if asked")
  void peekOnReplica() {
    LettuceRateLimitersTest.assumePeeksOnReplicas();
    RateLimiterOptions options = OPTIONS.toBuilder().peekOnReplicas(true).build();
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri(), options)) {
      RateLimiter api = limiters.limiter("replica", LIMIT);
      String onFirst = firstOn(0);
      api.tryAcquire(onFirst);
      ReplicaSync.await(cluster.master(0), replica);
      long onMaster = CommandCount.of(cluster.master(0), "evalsha_ro").calls();
      assertThat(api.peek(onFirst).remaining()).isEqualTo(999);
      assertThat(CommandCount.of(replica, "evalsha_ro").calls()).isPositive();
      assertThat(CommandCount.of(cluster.master(0), "evalsha_ro").calls()).isEqualTo(onMaster);
    }
  }

  @Test
  @DisplayName("a slot that moves to a master that is new: ASK, NOSCRIPT and MOVED are followed")
  void movingSlot() throws Exception {
    ServerProcess joined = cluster.addMaster();
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri(), OPTIONS)) {
      RateLimiter api = limiters.limiter("moving", LIMIT);
      AsyncRateLimiter async = limiters.asyncLimiter("moving", LIMIT);
      api.tryAcquireAll(SUBJECTS);
      String fresh = "fresh";
      cluster.beginMove(fresh, joined);
      assertThat(api.tryAcquire(fresh).remaining()).isEqualTo(999);
      joined.call("SCRIPT", "FLUSH");
      assertThat(api.tryAcquireAll(List.of(fresh, "a", fresh, "b")))
          .extracting(outcome -> outcome.decision().remaining())
          .containsExactly(998L, 999L, 997L, 999L);
      assertThat(CommandCount.of(joined, "eval").executed()).isPositive();
      cluster.endMove(fresh, joined);
      assertThat(async.tryAcquireAll(List.of(fresh, "a")).toCompletableFuture().get())
          .extracting(outcome -> outcome.decision().remaining())
          .containsExactly(996L, 998L);
      assertThat(api.tryAcquire(fresh).remaining()).isEqualTo(995);
    }
  }

  private static RedisClusterClient client(ClusterClientOptions options) {
    List<RedisURI> nodes =
        RedisClusterURIUtil.toRedisURIs(URI.create(uri().replace("redis-cluster", "redis")));
    RedisClusterClient client = RedisClusterClient.create(nodes);
    client.setOptions(options);
    return client;
  }

  private static String uri() {
    return cluster.endpoint().uri();
  }

  private static String firstOn(int master) {
    return SUBJECTS.stream().filter(subject -> isOn(master, subject)).findFirst().orElseThrow();
  }

  private static boolean isOn(int master, String subject) {
    return cluster.owner(subject) == cluster.master(master);
  }
}
