package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.DeadlineWatch;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.server.CommandCount;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.ReplicaSync;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

class RedissonClusterTest {
  private static final Limit LIMIT = FixedWindow.of(1_000, Duration.ofHours(1));
  private static final List<String> SUBJECTS =
      IntStream.range(0, 300).mapToObj(i -> "u" + i).toList();
  private static final Duration LONGEST_DEADLINE = Duration.ofSeconds(16);
  private static ClusterDeployment cluster;
  private static ServerProcess replica;
  private static RedissonClient client;
  /* The deadline is longer than any machine needs, where it is not what is tested. */
  private final RateLimiterOptions options =
      RateLimiterOptions.builder()
          .prefix(UUID.randomUUID().toString())
          .deadline(Duration.ofSeconds(30))
          .build();

  @BeforeAll
  static void start() {
    cluster = ClusterDeployment.start(new EmbeddedServer().executable());
    replica = cluster.addReplica(cluster.master(0));
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
    RateLimiter api = RedissonRateLimiters.using(client, options).limiter("api", LIMIT);
    for (String subject : SUBJECTS) {
      assertThat(api.tryAcquire(subject).remaining()).isEqualTo(999);
    }
    cluster.flushScripts();
    List<Outcome> outcomes = api.tryAcquireAll(SUBJECTS);
    assertThat(outcomes).extracting(Outcome::subject).isEqualTo(SUBJECTS);
    assertThat(outcomes).allMatch(outcome -> outcome.decision().remaining() == 998);
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
      TestServer to = cluster.next(cluster.owner(subject));
      to.call("SCRIPT", "FLUSH");
      cluster.beginMove(subject, to);
      assertThat(api.tryAcquire(subject).remaining()).isEqualTo(999);
      assertThat(api.tryAcquire(subject).remaining()).isEqualTo(998);
      to.call("SCRIPT", "FLUSH");
      assertThat(api.tryAcquireAll(List.of(subject, "other", subject)))
          .extracting(outcome -> outcome.decision().remaining())
          .contains(997L, 996L);
      cluster.endMove(subject, to);
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
    RedissonRateLimiters limiters =
        RedissonRateLimiters.using(client, options.toBuilder().functions(true).build());
    limiters.loadFunctions();
    RateLimiter api = limiters.limiter("api", LIMIT);
    assertThat(api.tryAcquireAll(SUBJECTS)).allMatch(o -> o.decision().remaining() == 999);
  }

  @Test
  @DisplayName("a peek may go to a replica, a charge never does")
  void replicas() {
    RateLimiter api =
        RedissonRateLimiters.using(client, options.toBuilder().peekOnReplicas(true).build())
            .limiter("api", LIMIT);
    String subject = SUBJECTS.stream().filter(s -> isOn(0, s)).findFirst().orElseThrow();
    api.tryAcquire(subject, 400);
    ReplicaSync.await(cluster.master(0), replica);
    long charged = CommandCount.of(replica, "evalsha").calls();
    ServerEvents.await("a peek on the replica")
        .until(
            () -> {
              assertThat(api.peek(subject).remaining()).isEqualTo(600);
              return peeks() > 0;
            });
    api.tryAcquire(subject, 1);
    assertThat(CommandCount.of(replica, "evalsha").calls()).isEqualTo(charged);
  }

  private static long peeks() {
    return CommandCount.of(replica, "evalsha_ro").executed()
        + CommandCount.of(replica, "eval").executed()
        + CommandCount.of(replica, "eval_ro").executed();
  }

  @Test
  @DisplayName("a stopped master fails its own keys within the deadline, and no others")
  void stoppedMaster() throws Exception {
    boolean othersAnswered = false;
    Duration deadline = Duration.ofSeconds(1);
    while (!othersAnswered) {
      assertThat(deadline).as("deadline that others kept").isLessThan(LONGEST_DEADLINE);
      othersAnswered = othersAnswer(deadline);
      deadline = deadline.multipliedBy(2);
    }
  }

  /* How long the others take is the machine's affair: a longer deadline must help. */
  private boolean othersAnswer(Duration deadline) throws Exception {
    List<String> subjects = SUBJECTS.subList(0, 60);
    RedissonRateLimiters.using(client, options).limiter("api", LIMIT).tryAcquireAll(subjects);
    RateLimiter api =
        RedissonRateLimiters.using(client, options.toBuilder().deadline(deadline).build())
            .limiter("api", LIMIT);
    cluster.master(2).freeze();
    try (DeadlineWatch watch = DeadlineWatch.over(deadline)) {
      List<Outcome> outcomes = watch.timed(() -> api.tryAcquireAll(subjects));
      watch.check();
      assertThat(outcomes.stream().filter(outcome -> isOn(2, outcome.subject())))
          .isNotEmpty()
          .allMatch(Outcome.Failed.class::isInstance);
      return outcomes.stream()
          .filter(outcome -> !isOn(2, outcome.subject()))
          .allMatch(Outcome.Decided.class::isInstance);
    } finally {
      cluster.master(2).thaw();
    }
  }

  private static boolean isOn(int master, String subject) {
    return cluster.owner(subject) == cluster.master(master);
  }

  private static Config config() {
    Config config = new Config();
    config
        .useClusterServers()
        .addNodeAddress(cluster.master(0).url().toString())
        .setMasterConnectionMinimumIdleSize(2)
        .setSlaveConnectionMinimumIdleSize(2);
    return config;
  }
}
