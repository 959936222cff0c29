package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.FixedWindow;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterTest {
  private static final FixedWindow LIMIT = FixedWindow.of(1_000, Duration.ofHours(1));
  private static final List<String> SUBJECTS =
      IntStream.range(0, 300).mapToObj(i -> "u" + i).toList();
  private static Cluster cluster;
  private static RedissonClient client;
  private final RateLimiterOptions options =
      RateLimiterOptions.defaults().prefix(UUID.randomUUID().toString());

  @BeforeAll
  static void start() {
    cluster = new Cluster();
    client = Redisson.create(config());
  }

  @AfterAll
  static void stop() {
    client.shutdown();
    cluster.close();
  }

  @Test
  @DisplayName("calls and batches reach the owner of each key, and are healed after a flush")
  void spreads() {
    try (RedissonRateLimiters limiters = RedissonRateLimiters.connect(config(), options)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      for (String subject : SUBJECTS) {
        assertThat(api.tryAcquire(subject).remaining()).isEqualTo(999);
      }
      for (int i = 0; i < 3; i++) {
        Served.command(cluster.server(i), "SCRIPT", "FLUSH");
      }
      List<Outcome> outcomes = api.tryAcquireAll(SUBJECTS);
      assertThat(outcomes).extracting(Outcome::subject).isEqualTo(SUBJECTS);
      assertThat(outcomes).allMatch(outcome -> outcome.decision().remaining() == 998);
    }
  }

  @Test
  @DisplayName("ASK is followed with ASKING, again for the fallback EVAL; MOVED is followed")
  void redirections() {
    for (boolean scriptCache : List.of(false, true)) {
      redirections("moving" + scriptCache, scriptCache);
    }
  }

  private void redirections(String subject, boolean scriptCache) {
    RedissonClient own = Redisson.create(config().setUseScriptCache(scriptCache));
    try {
      RateLimiter api = RedissonRateLimiters.using(own, options).limiter("api", LIMIT);
      int slot = cluster.slot(subject);
      int from = cluster.home(subject);
      int to = (from + 1) % 3;
      Served.command(cluster.server(to), "SCRIPT", "FLUSH");
      cluster.beginMove(slot, from, to);
      assertThat(api.tryAcquire(subject).remaining()).isEqualTo(999);
      assertThat(api.tryAcquire(subject).remaining()).isEqualTo(998);
      Served.command(cluster.server(to), "SCRIPT", "FLUSH");
      assertThat(api.tryAcquireAll(List.of(subject, "other", subject)))
          .extracting(outcome -> outcome.decision().remaining())
          .contains(997L, 996L);
      cluster.endMove(slot, to);
      assertThat(api.tryAcquire(subject).remaining()).isEqualTo(995);
      assertThat(api.tryAcquireAll(Collections.nCopies(100, subject)))
          .extracting(outcome -> outcome.decision().remaining())
          .contains(994L, 895L)
          .doesNotHaveDuplicates();
      assertThat(api.peek(subject).remaining()).isEqualTo(895);
    } finally {
      own.shutdown();
    }
  }

  @Test
  @DisplayName("functions are loaded on every master")
  void functions() {
    RedissonRateLimiters limiters = RedissonRateLimiters.using(client, options.functions(true));
    limiters.loadFunctions();
    RateLimiter api = limiters.limiter("api", LIMIT);
    assertThat(api.tryAcquireAll(SUBJECTS)).allMatch(o -> o.decision().remaining() == 999);
  }

  @Test
  @DisplayName("a look may go to a replica, a charge never does")
  void replicas() throws InterruptedException {
    RateLimiter api =
        RedissonRateLimiters.using(client, options.peekOnReplicas(true)).limiter("api", LIMIT);
    String subject = SUBJECTS.stream().filter(s -> cluster.home(s) == 0).findFirst().orElseThrow();
    api.tryAcquire(subject, 400);
    Thread.sleep(200);
    long charged = Served.executed(cluster.server(3), "evalsha");
    assertThat(api.peek(subject).remaining()).isEqualTo(600);
    api.tryAcquire(subject, 1);
    long looks =
        Served.executed(cluster.server(3), "evalsha_ro")
            + Served.executed(cluster.server(3), "eval")
            + Served.executed(cluster.server(3), "eval_ro");
    assertThat(looks).isPositive();
    assertThat(Served.executed(cluster.server(3), "evalsha")).isEqualTo(charged);
  }

  @Test
  @DisplayName("a stopped master fails its own keys within the deadline, and no others")
  void stoppedMaster() {
    RateLimiter api =
        RedissonRateLimiters.using(client, options.deadline(Duration.ofMillis(1_500)))
            .limiter("api", LIMIT);
    List<String> subjects = SUBJECTS.subList(0, 60);
    api.tryAcquireAll(subjects);
    cluster.server(2).freeze();
    try {
      long start = System.nanoTime();
      List<Outcome> outcomes = api.tryAcquireAll(subjects);
      assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isLessThan(4_500);
      for (Outcome outcome : outcomes) {
        assertThat(outcome instanceof Outcome.Failed)
            .isEqualTo(cluster.home(outcome.subject()) == 2);
      }
    } finally {
      cluster.server(2).thaw();
    }
  }

  private static Config config() {
    Config config = new Config();
    config
        .useClusterServers()
        .addNodeAddress(Served.address(cluster.server(0)))
        .setMasterConnectionMinimumIdleSize(2)
        .setSlaveConnectionMinimumIdleSize(2);
    return config;
  }
}
