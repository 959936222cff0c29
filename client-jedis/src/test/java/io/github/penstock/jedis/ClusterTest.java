package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.FixedWindow;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.util.JedisClusterCRC16;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterTest {
  private static final FixedWindow LIMIT = FixedWindow.of(1_000, Duration.ofHours(1));
  private static LiveCluster cluster;
  private final RateLimiterOptions options =
      RateLimiterOptions.defaults().prefix(UUID.randomUUID().toString());

  @BeforeAll
  static void start() throws InterruptedException {
    cluster = new LiveCluster();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  @DisplayName("calls and batches reach the owner of each key, from the first one on")
  void spreads() {
    try (JedisRateLimiters limiters = connect(options)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      List<String> subjects = IntStream.range(0, 300).mapToObj(i -> "u" + i).toList();
      for (String subject : subjects) {
        assertThat(api.tryAcquire(subject).remaining()).isEqualTo(999);
      }
      for (int i = 0; i < 3; i++) {
        cluster.server(i).client().scriptFlush();
      }
      List<Outcome> outcomes = api.tryAcquireAll(subjects);
      assertThat(outcomes).extracting(Outcome::subject).isEqualTo(subjects);
      assertThat(outcomes).allMatch(outcome -> outcome.decision().remaining() == 998);
    }
  }

  @Test
  @DisplayName("the application's own cluster client, with its retries, is charged once per call")
  void usersClient() {
    try (RedisClusterClient client = RedisClusterClient.create(cluster.nodes());
        JedisRateLimiters limiters = JedisRateLimiters.using(client, options)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      assertThat(api.tryAcquire("u").remaining()).isEqualTo(999);
      assertThat(api.tryAcquireAll(List.of("u", "v", "u")))
          .allMatch(Outcome.Decided.class::isInstance);
      assertThat(api.peek("u").remaining()).isEqualTo(997);
    }
  }

  @Test
  @DisplayName(
      "ASK is followed with ASKING, again before the fallback EVAL; MOVED is followed and learned")
  void redirections() {
    try (JedisRateLimiters limiters = connect(options)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      int slot = slot("moving");
      int from = slot * 3 / 16_384;
      int to = (from + 1) % 3;
      cluster.server(to).client().scriptFlush();
      cluster.beginMove(slot, from, to);
      assertThat(api.tryAcquire("moving").remaining()).isEqualTo(999);
      assertThat(api.tryAcquire("moving").remaining()).isEqualTo(998);
      assertThat(api.tryAcquireAll(List.of("moving", "other", "moving")))
          .extracting(outcome -> outcome.decision().remaining())
          .containsExactly(997L, 999L, 996L);
      cluster.endMove(slot, to);
      assertThat(api.tryAcquire("moving").remaining()).isEqualTo(995);
      long before = cluster.server(from).calls("evalsha");
      assertThat(api.tryAcquire("moving").remaining()).isEqualTo(994);
      assertThat(cluster.server(from).calls("evalsha")).isEqualTo(before);
    }
  }

  @Test
  @DisplayName("functions are loaded on every master")
  void functions() {
    try (JedisRateLimiters limiters = connect(options.functions(true))) {
      limiters.loadFunctions();
      RateLimiter api = limiters.limiter("api", LIMIT);
      List<String> subjects = IntStream.range(0, 50).mapToObj(i -> "u" + i).toList();
      assertThat(api.tryAcquireAll(subjects)).allMatch(o -> o.decision().remaining() == 999);
    }
  }

  @Test
  @DisplayName("a look may go to a replica, a charge never does")
  void replicas() throws InterruptedException {
    try (JedisRateLimiters limiters = connect(options.peekOnReplicas(true))) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      String subject =
          IntStream.range(0, 100)
              .mapToObj(i -> "r" + i)
              .filter(s -> slot(s) < 5_461)
              .findFirst()
              .get();
      long charged = cluster.server(3).calls("evalsha");
      api.tryAcquire(subject, 400);
      Thread.sleep(100);
      assertThat(api.peek(subject).remaining()).isEqualTo(600);
      assertThat(cluster.server(3).calls("evalsha_ro")).isPositive();
      assertThat(cluster.server(3).calls("evalsha")).isEqualTo(charged);
    }
  }

  @Test
  @DisplayName("a stopped master fails its own keys within the deadline, and no others")
  void stoppedMaster() {
    RateLimiterOptions quick = options.deadline(Duration.ofMillis(1_500));
    try (JedisRateLimiters limiters = connect(quick)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      List<String> subjects = IntStream.range(0, 60).mapToObj(i -> "s" + i).toList();
      api.tryAcquireAll(subjects);
      cluster.server(2).freeze();
      try {
        long start = System.nanoTime();
        List<Outcome> outcomes = api.tryAcquireAll(subjects);
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isLessThan(4_500);
        for (Outcome outcome : outcomes) {
          boolean stopped = slot(outcome.subject()) >= 10_922;
          assertThat(outcome instanceof Outcome.Failed).isEqualTo(stopped);
        }
      } finally {
        cluster.server(2).thaw();
      }
    }
  }

  private static JedisRateLimiters connect(RateLimiterOptions options) {
    return JedisRateLimiters.connectCluster(
        Set.of(cluster.server(0).address()), DefaultJedisClientConfig.builder().build(), options);
  }

  private static int slot(String subject) {
    return JedisClusterCRC16.getSlot(subject.getBytes(StandardCharsets.UTF_8));
  }
}
