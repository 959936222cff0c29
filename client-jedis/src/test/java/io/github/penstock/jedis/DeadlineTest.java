package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.Decision;
import io.github.penstock.core.FixedWindow;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

class DeadlineTest {
  private static final FixedWindow LIMIT = FixedWindow.of(1_000_000, Duration.ofHours(1));
  /* The server stays stopped for longer, and what is tested would else wait for that. */
  private static final long SLACK_MILLIS = 3_000;
  private final RateLimiterOptions options =
      RateLimiterOptions.defaults().deadline(Duration.ofMillis(600));

  @Test
  @DisplayName(
      "a stopped server: 64 threads are answered within the deadline, and once each is charged at most")
  void stoppedServer() throws Exception {
    try (LiveServer server = new LiveServer();
        JedisRateLimiters limiters =
            JedisRateLimiters.connect(server.uri(), options.onUnavailable(OnUnavailable.ALLOW))) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      inThreads(16, () -> api.tryAcquire("u"));
      server.freeze();
      List<Timed<Decision>> frozen = inThreads(64, () -> api.tryAcquire("u"));
      assertThat(frozen).allMatch(timed -> !timed.result.enforced() && timed.result.allowed());
      assertThat(frozen).allMatch(timed -> timed.millis < 600 + SLACK_MILLIS);
      server.thaw();
      Decision after = recovered(api);
      assertThat(LIMIT.tiers().get(0).limit() - after.remaining()).isBetween(17L, 16L + 64 + 100);
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
    try (LiveServer server = new LiveServer();
        RedisClient client =
            RedisClient.builder()
                .hostAndPort(server.address())
                .clientConfig(config)
                .poolConfig(two)
                .build();
        JedisRateLimiters limiters =
            JedisRateLimiters.using(client, options.onUnavailable(OnUnavailable.DENY))) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      inThreads(2, () -> api.tryAcquire("u"));
      server.freeze();
      for (int round = 0; round < 3; round++) {
        List<Timed<Decision>> frozen = inThreads(16, () -> api.tryAcquire("u"));
        assertThat(frozen).allMatch(timed -> !timed.result.enforced() && !timed.result.allowed());
        assertThat(frozen).allMatch(timed -> timed.millis < 600 + SLACK_MILLIS);
        assertThat(frozen.get(0).result.retryAfter()).isEqualTo(Duration.ofMillis(600));
      }
      server.thaw();
      assertThat(recovered(api).enforced()).isTrue();
    }
  }

  @Test
  @DisplayName("a lost answer says that the call may have been charged; a batch has one deadline")
  void lostAnswer() {
    try (LiveServer server = new LiveServer();
        JedisRateLimiters limiters = JedisRateLimiters.connect(server.uri(), options)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      api.tryAcquire("u");
      server.freeze();
      assertThatThrownBy(() -> api.tryAcquire("u"))
          .isInstanceOf(MayHaveBeenChargedException.class)
          .hasMessageContaining("fixed-window")
          .hasMessageContaining("may have been charged");
      List<String> subjects = IntStream.range(0, 5_000).mapToObj(i -> "u" + i).toList();
      Timed<List<Outcome>> batch = Timed.of(() -> api.tryAcquireAll(subjects));
      assertThat(batch.millis).isLessThan(600 + SLACK_MILLIS);
      assertThat(batch.result).hasSize(5_000).allMatch(Outcome.Failed.class::isInstance);
    }
  }

  private static Decision recovered(RateLimiter api) throws InterruptedException {
    for (int attempt = 0; attempt < 100; attempt++) {
      Decision decision = api.tryAcquire("u");
      if (decision.enforced()) {
        return decision;
      }
      Thread.sleep(20);
    }
    throw new AssertionError("the limiter never recovered");
  }

  private static <T> List<Timed<T>> inThreads(int threads, Callable<T> call) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Timed<T>>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        futures.add(executor.submit(() -> Timed.of(call)));
      }
      List<Timed<T>> results = new ArrayList<>();
      for (Future<Timed<T>> future : futures) {
        results.add(future.get(30, TimeUnit.SECONDS));
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }

  private record Timed<T>(T result, long millis) {
    static <T> Timed<T> of(Callable<T> call) {
      long start = System.nanoTime();
      try {
        T result = call.call();
        return new Timed<>(result, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
