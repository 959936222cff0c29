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
import io.github.penstock.testkit.topology.ReplicaSync;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A primary and a replica that no sentinel watches, as hosting services offer them. */
class ReplicatedTest {
  private static final Limit LIMIT = FixedWindow.of(1_000, Duration.ofHours(1));
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @AutoClose
  private final ServerProcess primary =
      new EmbeddedServer().start("--repl-diskless-sync-delay", "0");

  @AutoClose private ServerProcess replica;

  @BeforeEach
  void start() {
    String port = Integer.toString(primary.url().port());
    replica =
        new EmbeddedServer()
            .start("--repl-diskless-sync-delay", "0", "--replicaof", "127.0.0.1", port);
    ReplicaSync.await(primary, replica);
  }

  @Test
  @DisplayName("charges go to the primary, peeks to the replica, also after both change roles")
  void rolesChange() {
    Config config = new Config();
    config
        .useReplicatedServers()
        .setScanInterval(200)
        .addNodeAddress(primary.url().toString(), replica.url().toString());
    RateLimiterOptions options =
        RateLimiterOptions.builder().deadline(PATIENCE).peekOnReplicas(true).build();
    RedissonClient client = Redisson.create(config);
    try (RedissonRateLimiters limiters = RedissonRateLimiters.using(client, options)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      assertThat(api.tryAcquire("u", 10).remaining()).isEqualTo(990);
      ReplicaSync.await(primary, replica);
      ServerEvents.await("a peek on the replica").until(() -> peeksOn(replica, api, 990));

      replica.call("REPLICAOF", "NO", "ONE");
      primary.call("REPLICAOF", "127.0.0.1", Integer.toString(replica.url().port()));
      ServerEvents.await("a charge on the new primary").until(() -> charges(api));
      assertThat(String.valueOf(replica.call("INFO", "replication"))).contains("role:master");
      assertThat(api.tryAcquire("u", 10).remaining()).isLessThanOrEqualTo(979);
    } finally {
      client.shutdown();
    }
  }

  private static boolean charges(RateLimiter api) {
    try {
      return api.tryAcquire("u").allowed();
    } catch (RuntimeException notYet) {
      return false;
    }
  }

  /* Each peek must be right, also one that still goes to the primary. */
  static boolean peeksOn(TestServer replica, RateLimiter api, long remaining) {
    assertThat(api.peek("u").remaining()).isEqualTo(remaining);
    return CommandCount.of(replica, "evalsha_ro").executed()
            + CommandCount.of(replica, "eval").executed()
            + CommandCount.of(replica, "eval_ro").executed()
        > 0;
  }
}
