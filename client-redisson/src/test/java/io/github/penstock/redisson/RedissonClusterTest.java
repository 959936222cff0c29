package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

class RedissonClusterTest {
  private static final Limit LIMIT = FixedWindow.of(1_000, Duration.ofHours(1));
  private static final List<String> SUBJECTS =
      IntStream.range(0, 300).mapToObj(i -> "u" + i).toList();

  @AutoClose
  private static final ClusterDeployment cluster =
      ClusterDeployment.start(new EmbeddedServer().executable());

  private static final ServerProcess replica = cluster.addReplica(cluster.master(0));

  @AutoClose("shutdown")
  private static final RedissonClient client = Redisson.create(config());

  /* The deadline is longer than any machine needs, where it is not what is tested. */
  private final RateLimiterOptions options =
      RateLimiterOptions.builder()
          .prefix(UUID.randomUUID().toString())
          .deadline(Duration.ofSeconds(30))
          .build();

  @Test
  @DisplayName("ASK and MOVED are followed on a client that keeps a cache of scripts itself, too")
  void redirections() {
    String subject = "moving";
    RedissonClient own = Redisson.create(config().setUseScriptCache(true));
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
