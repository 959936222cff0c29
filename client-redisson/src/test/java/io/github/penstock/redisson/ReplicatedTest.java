package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.ServerProcess;
import io.github.penstock.core.FixedWindow;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.config.Config;

/** A primary and a replica that no sentinel watches, as hosting services offer them. */
class ReplicatedTest {
  private static final FixedWindow LIMIT = FixedWindow.of(1_000, Duration.ofHours(1));
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private ServerProcess primary;
  private ServerProcess replica;

  @BeforeEach
  void start() {
    primary = new EmbeddedServer().start("--repl-diskless-sync-delay", "0");
    String port = Integer.toString(primary.url().port());
    replica =
        new EmbeddedServer()
            .start("--repl-diskless-sync-delay", "0", "--replicaof", "127.0.0.1", port);
    await().atMost(PATIENCE).until(() -> says(replica, "master_link_status:up"));
  }

  @AfterEach
  void stop() {
    primary.close();
    replica.close();
  }

  @Test
  @DisplayName("charges go to the primary, looks to the replica, also after both change roles")
  void rolesChange() {
    Config config = new Config();
    config
        .useReplicatedServers()
        .setScanInterval(200)
        .addNodeAddress(Served.address(primary), Served.address(replica));
    RateLimiterOptions options = RateLimiterOptions.defaults().peekOnReplicas(true);
    try (RedissonRateLimiters limiters = RedissonRateLimiters.connect(config, options)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      assertThat(api.tryAcquire("u", 10).remaining()).isEqualTo(990);
      await().atMost(PATIENCE).until(() -> api.peek("u").remaining() == 990);
      long looks =
          Served.executed(replica, "evalsha_ro")
              + Served.executed(replica, "eval")
              + Served.executed(replica, "eval_ro");
      assertThat(looks).isPositive();

      Served.command(replica, "REPLICAOF", "NO", "ONE");
      Served.command(primary, "REPLICAOF", "127.0.0.1", Integer.toString(replica.url().port()));
      await().atMost(PATIENCE).until(() -> charges(api));
      assertThat(says(replica, "role:master")).isTrue();
      assertThat(api.tryAcquire("u", 10).remaining()).isLessThanOrEqualTo(979);
    }
  }

  private static boolean charges(RateLimiter api) {
    try {
      return api.tryAcquire("u").allowed();
    } catch (RuntimeException notYet) {
      return false;
    }
  }

  private static boolean says(ServerProcess server, String line) {
    return String.valueOf(Served.command(server, "INFO", "replication")).contains(line);
  }
}
