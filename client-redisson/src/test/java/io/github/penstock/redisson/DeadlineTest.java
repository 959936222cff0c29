package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.ServerProcess;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.FixedWindow;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeadlineTest {
  private static final long DEADLINE_MILLIS = 600;
  /* The server stays stopped for longer, and what is tested would else wait for that. */
  private static final long SLACK_MILLIS = 3_000;
  private static final FixedWindow LIMIT = FixedWindow.of(1_000_000, Duration.ofHours(1));
  private final RateLimiterOptions options =
      RateLimiterOptions.defaults().deadline(Duration.ofMillis(DEADLINE_MILLIS));
  private ServerProcess server;

  @BeforeEach
  void start() {
    server = new EmbeddedServer().start();
  }

  @AfterEach
  void stop() {
    server.thaw();
    server.close();
  }

  @Test
  @DisplayName(
      "a stopped server: 64 threads are answered in time, and each call is charged at most once")
  void stoppedServer() throws Exception {
    try (RedissonRateLimiters limiters =
        RedissonRateLimiters.connect(
            Served.address(server), options.onUnavailable(OnUnavailable.ALLOW))) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      inThreads(16, () -> api.tryAcquire("u"));
      server.freeze();
      for (int round = 0; round < 3; round++) {
        List<Timed<Decision>> frozen = inThreads(64, () -> api.tryAcquire("u"));
        assertThat(frozen).allMatch(timed -> !timed.result.enforced() && timed.result.allowed());
        assertThat(frozen).allMatch(timed -> timed.millis < DEADLINE_MILLIS + SLACK_MILLIS);
      }
      server.thaw();
      await().atMost(Duration.ofSeconds(10)).until(() -> api.tryAcquire("v").enforced());
      Thread.sleep(500);
      long used = LIMIT.tiers().get(0).limit() - api.peek("u").remaining();
      assertThat(used).isBetween(16L, 16L + 3 * 64);
    }
  }

  @Test
  @DisplayName("an exhausted pool on a stopped server keeps the deadline")
  void exhaustedPool() throws Exception {
    for (int connections : List.of(2, 12)) {
      Config two = Served.config(Served.address(server));
      two.useSingleServer().setConnectionPoolSize(connections);
      RedissonClient client = Redisson.create(two);
      try {
        RateLimiter api =
            RedissonRateLimiters.using(client, options.onUnavailable(OnUnavailable.DENY))
                .limiter("api", LIMIT);
        inThreads(2, () -> api.tryAcquire("u"));
        server.freeze();
        for (int round = 0; round < 2; round++) {
          List<Timed<Decision>> frozen = inThreads(40, () -> api.tryAcquire("u"));
          assertThat(frozen).allMatch(timed -> !timed.result.enforced() && !timed.result.allowed());
          assertThat(frozen).allMatch(timed -> timed.millis < DEADLINE_MILLIS + SLACK_MILLIS);
        }
        server.thaw();
        await().atMost(Duration.ofSeconds(10)).until(() -> api.tryAcquire("v").enforced());
      } finally {
        client.shutdown();
      }
    }
  }

  @Test
  @DisplayName("a batch on a stopped server has one deadline")
  void stoppedBatch() throws Exception {
    try (RedissonRateLimiters limiters =
        RedissonRateLimiters.connect(Served.address(server), options)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      api.tryAcquire("u");
      server.freeze();
      Timed<List<Outcome>> batch =
          Timed.of(() -> api.tryAcquireAll(Collections.nCopies(5_000, "u")));
      assertThat(batch.millis).isLessThan(DEADLINE_MILLIS + SLACK_MILLIS);
      assertThat(batch.result).hasSize(5_000).allMatch(Outcome.Failed.class::isInstance);
    }
  }

  @Test
  @DisplayName(
      "a server that is gone: calls fail at once or in time, and none is made up for later")
  void serverGone() throws Exception {
    RedissonClient client = Redisson.create(Served.config(Served.address(server)));
    try {
      RedissonRateLimiters limiters = RedissonRateLimiters.using(client, options);
      RateLimiter api = limiters.limiter("api", LIMIT);
      AsyncRateLimiter async = limiters.asyncLimiter("api", LIMIT);
      api.tryAcquire("u");
      server.kill();
      for (int call = 0; call < 3; call++) {
        Timed<RuntimeException> failed = Timed.of(() -> failure(() -> api.tryAcquire("u")));
        assertThat(failed.millis).isLessThan(DEADLINE_MILLIS + SLACK_MILLIS);
      }
      await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> !(failure(() -> api.tryAcquire("u")) instanceof PenstockException));
      List<CompletableFuture<Decision>> many = new ArrayList<>();
      for (int call = 0; call < 2_000; call++) {
        many.add(async.tryAcquire("u").toCompletableFuture());
      }
      for (CompletableFuture<Decision> call : many) {
        assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS)).isNotNull();
      }
      server.restart();
      await().atMost(Duration.ofSeconds(20)).until(() -> answers(api));
      Thread.sleep(1_000);
      assertThat(api.peek("u").remaining()).isEqualTo(1_000_000);
    } finally {
      client.shutdown();
    }
  }

  @Test
  @DisplayName("no more than 16,384 calls wait for an answer; one more fails at once, not charged")
  void backPressure() throws Exception {
    try (RedissonRateLimiters limiters =
        RedissonRateLimiters.connect(Served.address(server), options)) {
      AsyncRateLimiter api = limiters.asyncLimiter("api", LIMIT);
      api.tryAcquire("u").toCompletableFuture().get();
      server.freeze();
      long start = System.nanoTime();
      List<CompletableFuture<Decision>> many = new ArrayList<>();
      for (int call = 0; call < 20_000; call++) {
        many.add(api.tryAcquire("u").toCompletableFuture());
      }
      int atOnce = 0;
      for (CompletableFuture<Decision> call : many) {
        RuntimeException failure = failure(() -> call.join());
        if (String.valueOf(failure.getMessage()).contains("16384 calls wait")) {
          assertThat(failure.getCause()).isNotInstanceOf(MayHaveBeenChargedException.class);
          atOnce++;
        }
      }
      assertThat(Timed.millisSince(start)).isLessThan(30_000);
      assertThat(atOnce).isPositive();
      server.thaw();
      await().atMost(Duration.ofSeconds(10)).until(() -> answers(limiters.limiter("api", LIMIT)));
    }
  }

  private static boolean answers(RateLimiter api) {
    try {
      return api.peek("u").remaining() >= 0;
    } catch (RuntimeException notYet) {
      return false;
    }
  }

  private static RuntimeException failure(Callable<?> call) throws Exception {
    try {
      call.call();
    } catch (RuntimeException e) {
      return e;
    }
    throw new AssertionError("the call had an answer");
  }

  private static <T> List<Timed<T>> inThreads(int threads, Callable<T> call) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Timed<T>> results = new ArrayList<>();
      List<Callable<Timed<T>>> calls = Collections.nCopies(threads, () -> Timed.of(call));
      for (Future<Timed<T>> future : executor.invokeAll(calls)) {
        results.add(future.get(10, TimeUnit.SECONDS));
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }

  private record Timed<T>(T result, long millis) {
    static <T> Timed<T> of(Callable<T> call) throws Exception {
      long start = System.nanoTime();
      T result = call.call();
      return new Timed<>(result, millisSince(start));
    }

    static long millisSince(long nanos) {
      return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
  }
}
