package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.compat.load.DeadlineWatch;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** The server stays stopped until each call has ended, so that no answer can end it. */
@LoadTest
class RedissonDeadlineTest {
  private static final Duration DEADLINE = Duration.ofMillis(600);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Limit LIMIT = FixedWindow.of(1_000_000, Duration.ofHours(1));
  private static final int MOST_WAITING = 16_384;
  private static final int MANY = 20_000;
  private final RateLimiterOptions options =
      RateLimiterOptions.builder().deadline(DEADLINE).build();
  @AutoClose private final DeadlineWatch watch = DeadlineWatch.over(DEADLINE);
  @AutoClose private final ServerProcess server = new EmbeddedServer().start();

  @Test
  @DisplayName("an exhausted pool on a stopped server keeps the deadline")
  void exhaustedPool() throws Exception {
    for (int connections : List.of(2, 12)) {
      Config two = RedissonRateLimitersTest.config(server.url());
      two.useSingleServer().setConnectionPoolSize(connections);
      RedissonClient client = Redisson.create(two);
      try {
        RateLimiter api =
            RedissonRateLimiters.using(
                    client, options.toBuilder().onUnavailable(OnUnavailable.DENY).build())
                .limiter("api", LIMIT);
        watch.inThreads(2, () -> api.tryAcquire("u"));
        server.freeze();
        for (int round = 0; round < 2; round++) {
          List<Decision> frozen = watch.inThreads(40, () -> api.tryAcquire("u"));
          assertThat(frozen).allMatch(decision -> !decision.enforced() && !decision.allowed());
        }
        watch.check();
        server.thaw();
        awaitDecision(api);
      } finally {
        client.shutdown();
      }
    }
  }

  @Test
  @DisplayName(
      "a server that is gone: calls fail at once or in time, and none is made up for later")
  void serverGone() throws Exception {
    Config config = RedissonRateLimitersTest.config(server.url());
    config.useSingleServer().setRetryAttempts(1_000);
    RedissonClient client = Redisson.create(config);
    try {
      RedissonRateLimiters limiters = RedissonRateLimiters.using(client, options);
      RateLimiter api = limiters.limiter("api", LIMIT);
      AsyncRateLimiter async = limiters.asyncLimiter("api", LIMIT);
      awaitAnswer(api);
      server.kill();
      for (int call = 0; call < 3; call++) {
        assertThatThrownBy(() -> watch.timed(() -> api.tryAcquire("u"))).isNotNull();
      }
      watch.check();
      ServerEvents.await("a call that was not sent")
          .until(
              () ->
                  catchThrowable(() -> api.tryAcquire("u")).getClass()
                      == NoDecisionException.class);
      List<CompletableFuture<Decision>> many = new ArrayList<>();
      for (int call = 0; call < 2_000; call++) {
        many.add(async.tryAcquire("u").toCompletableFuture());
      }
      assertThat(many).allMatch(call -> catchThrowable(call::get) != null);
      // Redisson sends this one again by itself; calls of ours that it kept would come with it.
      client.getBucket("made-up-for", StringCodec.INSTANCE).setAsync("yes");
      server.restart();
      ServerEvents.await("Redisson's own attempt")
          .until(() -> server.call("GET", "made-up-for") != null);
      awaitAnswer(api);
      assertThat(used()).isZero();
    } finally {
      client.shutdown();
    }
  }

  @Test
  @DisplayName("calls beyond the 16,384 that wait are no outage before a deadline has passed")
  void backPressure() throws Exception {
    try (RedissonRateLimiters limiters =
        RedissonRateLimiters.connect(uri(), options.toBuilder().deadline(PATIENCE).build())) {
      AsyncRateLimiter api = limiters.asyncLimiter("api", LIMIT);
      api.tryAcquire("u").toCompletableFuture().get();
      server.freeze();
      List<CompletableFuture<Decision>> many = new ArrayList<>();
      for (int call = 0; call < MANY; call++) {
        many.add(api.tryAcquire("u").toCompletableFuture());
      }
      assertThat(many).noneMatch(CompletableFuture::isDone);
      server.thaw();
      assertThat(many).allMatch(call -> decidedOrOverloaded(call));
      long decided = many.stream().filter(call -> call.join().enforced()).count();
      assertThat(decided).isGreaterThanOrEqualTo(MOST_WAITING);
      assertThat(used()).isEqualTo(1 + decided);
    }
  }

  private static boolean decidedOrOverloaded(CompletableFuture<Decision> call) {
    Decision decision = call.join();
    return decision.enforced() || decision.source() == DecisionSource.OVERLOADED;
  }

  private static void awaitDecision(RateLimiter api) {
    ServerEvents.await("a decision of the server").until(() -> api.tryAcquire("v").enforced());
  }

  private static void awaitAnswer(RateLimiter api) {
    ServerEvents.await("an answer").until(() -> catchThrowable(() -> api.peek("u")) == null);
  }

  private long used() {
    try (RedissonRateLimiters limiters =
        RedissonRateLimiters.connect(uri(), options.toBuilder().deadline(PATIENCE).build())) {
      return 1_000_000 - limiters.limiter("api", LIMIT).peek("u").remaining();
    }
  }

  private String uri() {
    return server.url().toString();
  }
}
