package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.DeadlineWatch;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;

/** The server stays stopped until each call has ended, so that no answer can end it. */
@LoadTest
class JedisDeadlineTest {
  private static final Limit LIMIT = FixedWindow.of(1_000_000, Duration.ofHours(1));
  private static final Duration DEADLINE = Duration.ofMillis(600);
  private final RateLimiterOptions options =
      RateLimiterOptions.builder().deadline(DEADLINE).build();
  @AutoClose private final DeadlineWatch watch = DeadlineWatch.over(DEADLINE);
  @AutoClose private final ServerProcess server = new EmbeddedServer().start();

  @Test
  @DisplayName("the rest of a batch whose server stops in the midst of it is an outage")
  void stoppedInBatch() {
    RateLimiterOptions allowing =
        options.toBuilder()
            .deadline(Duration.ofSeconds(3))
            .onUnavailable(OnUnavailable.ALLOW)
            .build();
    try (FaultProxy proxy = FaultProxy.before(server.url());
        JedisRateLimiters limiters = JedisRateLimiters.connect(proxy.url().toString(), allowing)) {
      RateLimiter api = limiters.limiter("large", LIMIT);
      awaitDecision(api, "u");
      proxy.setOnce(NetworkFault.REPLY_DROPPED, 5_000);
      CompletableFuture<List<Outcome>> batch =
          CompletableFuture.supplyAsync(() -> api.tryAcquireAll(Collections.nCopies(10_000, "u")));
      ServerEvents.await("half of the batch").until(() -> proxy.faulted() == 1);
      server.freeze();
      Set<DecisionSource> sources =
          batch.join().stream()
              .map(outcome -> outcome.decision().source())
              .collect(Collectors.toSet());
      assertThat(sources)
          .containsExactlyInAnyOrder(DecisionSource.SERVER, DecisionSource.UNAVAILABLE);
    }
  }

  @Test
  @DisplayName(
      "an exhausted pool on a stopped server: those who wait and those who hold keep the deadline")
  void exhaustedPool() throws Exception {
    ConnectionPoolConfig two = new ConnectionPoolConfig();
    two.setMaxTotal(2);
    DefaultJedisClientConfig config =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis(150)
            .socketTimeoutMillis(150)
            .build();
    try (RedisClient client =
            RedisClient.builder()
                .hostAndPort(new HostAndPort(server.url().host(), server.url().port()))
                .clientConfig(config)
                .poolConfig(two)
                .build();
        JedisRateLimiters limiters =
            JedisRateLimiters.using(
                client, options.toBuilder().onUnavailable(OnUnavailable.DENY).build())) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      watch.inThreads(2, () -> api.tryAcquire("u"));
      server.freeze();
      for (int round = 0; round < 3; round++) {
        List<Decision> frozen = watch.inThreads(16, () -> api.tryAcquire("u"));
        assertThat(frozen).allMatch(decision -> !decision.enforced() && !decision.allowed());
        assertThat(frozen.get(0).retryAfter()).isEqualTo(DEADLINE);
      }
      watch.check();
      server.thaw();
      awaitDecision(api, "u");
    }
  }

  private static void awaitDecision(RateLimiter api, String subject) {
    ServerEvents.await("a decision of the server").until(() -> api.tryAcquire(subject).enforced());
  }
}
