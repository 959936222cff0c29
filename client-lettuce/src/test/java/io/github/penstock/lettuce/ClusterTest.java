package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.FixedWindow;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterTest {
  private static final FixedWindow LIMIT = FixedWindow.of(1_000, Duration.ofHours(1));
  private static final List<String> SUBJECTS =
      IntStream.range(0, 60).mapToObj(i -> "subject" + i).toList();
  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = new TestCluster();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  static Stream<ClusterClientOptions> userOptions() {
    return Stream.of(
        ClusterClientOptions.create(),
        ClusterClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .build());
  }

  @Test
  @DisplayName("calls and batches reach every master; NOSCRIPT is healed on each")
  void everyMaster() throws Exception {
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connectCluster(cluster.uri())) {
      RateLimiter api = limiters.limiter("all", LIMIT);
      assertThat(api.tryAcquireAll(SUBJECTS))
          .allMatch(outcome -> outcome.decision().remaining() == 999);
      SUBJECTS.forEach(subject -> assertThat(api.tryAcquire(subject).remaining()).isEqualTo(998));
      flushScripts();
      AsyncRateLimiter async = limiters.asyncLimiter("all", LIMIT);
      assertThat(async.tryAcquireAll(SUBJECTS).toCompletableFuture().get())
          .allMatch(outcome -> outcome.decision().remaining() == 997);
      flushScripts();
      SUBJECTS.forEach(subject -> assertThat(api.tryAcquire(subject).remaining()).isEqualTo(996));
      for (int i = 0; i < 3; i++) {
        assertThat(cluster.calls(i, "evalsha")).isPositive();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("userOptions")
  @DisplayName("the first calls on the application's connection, which stays open")
  void usersConnection(ClusterClientOptions options) {
    RedisClusterClient client = client(options);
    try (StatefulRedisClusterConnection<String, String> connection = client.connect()) {
      try (LettuceRateLimiters limiters = LettuceRateLimiters.using(connection)) {
        RateLimiter api = limiters.limiter("own" + options.getDisconnectedBehavior(), LIMIT);
        SUBJECTS.forEach(subject -> assertThat(api.tryAcquire(subject).remaining()).isEqualTo(999));
      }
      assertThat(connection.isOpen()).isTrue();
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("functions are loaded on every master")
  void functions() {
    RateLimiterOptions options = RateLimiterOptions.defaults().functions(true);
    try (LettuceRateLimiters limiters =
        LettuceRateLimiters.connectCluster(cluster.uri(), options)) {
      limiters.loadFunctions();
      RateLimiter api = limiters.limiter("functions", LIMIT);
      assertThat(api.tryAcquireAll(SUBJECTS))
          .allMatch(outcome -> outcome.decision().remaining() == 999);
    }
  }

  @Test
  @DisplayName("a look goes to the replica if asked")
  void peekOnReplica() throws Exception {
    Servers.assumeLooksOnReplicas();
    RateLimiterOptions options = RateLimiterOptions.defaults().peekOnReplicas(true);
    try (LettuceRateLimiters limiters =
        LettuceRateLimiters.connectCluster(cluster.uri(), options)) {
      RateLimiter api = limiters.limiter("replica", LIMIT);
      String onFirst =
          SUBJECTS.stream().filter(s -> slot("replica", s) < 16_384 / 3).findFirst().orElseThrow();
      api.tryAcquire(onFirst);
      Servers.await(Duration.ofSeconds(5), () -> api.peek(onFirst).remaining() == 999);
      assertThat(cluster.calls(3, "evalsha_ro")).isPositive();
      assertThat(cluster.calls(0, "evalsha_ro")).isZero();
    }
  }

  @Test
  @DisplayName("a slot that moves to a master that is new: ASK, NOSCRIPT and MOVED are followed")
  void movingSlot() throws Exception {
    int joined = cluster.join();
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connectCluster(cluster.uri())) {
      RateLimiter api = limiters.limiter("moving", LIMIT);
      AsyncRateLimiter async = limiters.asyncLimiter("moving", LIMIT);
      api.tryAcquireAll(SUBJECTS);
      String fresh = "fresh";
      int slot = slot("moving", fresh);
      int owner = slot < 5461 ? 0 : slot < 10922 ? 1 : 2;
      cluster.beginMove(slot, owner, joined);
      assertThat(api.tryAcquire(fresh).remaining()).isEqualTo(999);
      cluster.call(joined, "SCRIPT", "FLUSH");
      assertThat(api.tryAcquireAll(List.of(fresh, "a", fresh, "b")))
          .extracting(outcome -> outcome.decision().remaining())
          .containsExactly(998L, 999L, 997L, 999L);
      assertThat(cluster.calls(joined, "eval")).isPositive();
      cluster.endMove(slot, owner, joined);
      assertThat(async.tryAcquireAll(List.of(fresh, "a")).toCompletableFuture().get())
          .extracting(outcome -> outcome.decision().remaining())
          .containsExactly(996L, 998L);
      assertThat(api.tryAcquire(fresh).remaining()).isEqualTo(995);
    }
  }

  @ParameterizedTest
  @MethodSource("userOptions")
  @DisplayName("a stopped master: its calls end within the deadline, the others' succeed")
  void stoppedMaster(ClusterClientOptions userOptions) throws Exception {
    RateLimiterOptions options = RateLimiterOptions.defaults().deadline(Duration.ofMillis(1_500));
    RedisClusterClient client = client(userOptions);
    String policy = "stopped" + userOptions.getDisconnectedBehavior();
    try (StatefulRedisClusterConnection<String, String> connection = client.connect();
        LettuceRateLimiters limiters = LettuceRateLimiters.using(connection, options)) {
      RateLimiter api = limiters.limiter(policy, LIMIT);
      api.tryAcquireAll(SUBJECTS);
      String there =
          SUBJECTS.stream().filter(s -> slot(policy, s) >= 10922).findFirst().orElseThrow();
      cluster.node(2).freeze();
      long begin = System.nanoTime();
      List<Outcome> outcomes = api.tryAcquireAll(SUBJECTS);
      assertThatThrownBy(() -> api.tryAcquire(there))
          .isInstanceOf(MayHaveBeenChargedException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(6));
      for (Outcome outcome : outcomes) {
        if (slot(policy, outcome.subject()) < 10922) {
          assertThat(outcome.decision().remaining()).isEqualTo(998);
        } else {
          assertThatThrownBy(outcome::decision).isInstanceOf(MayHaveBeenChargedException.class);
        }
      }
      cluster.node(2).thaw();
      Servers.await(Duration.ofSeconds(5), () -> api.peek(there).remaining() == 997);
    } finally {
      cluster.node(2).thaw();
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  private static RedisClusterClient client(ClusterClientOptions options) {
    List<RedisURI> nodes = RedisClusterURIUtil.toRedisURIs(URI.create(cluster.uri()));
    RedisClusterClient client = RedisClusterClient.create(nodes);
    client.setOptions(options);
    return client;
  }

  private static void flushScripts() {
    for (int i = 0; i < 3; i++) {
      cluster.call(i, "SCRIPT", "FLUSH");
    }
  }

  private static int slot(String policy, String subject) {
    return SlotHash.getSlot("penstock:" + policy + ":{" + subject + "}:" + LIMIT.marker());
  }
}
