package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.ServerProcess;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.FixedWindow;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.Usage;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FaultTest {
  private static final FixedWindow LIMIT = FixedWindow.of(1_000_000, Duration.ofHours(1));
  private static final Duration DEADLINE = Duration.ofMillis(800);
  /* The server stays stopped for longer, and what is tested would else wait for that. */
  private static final long SLACK_MILLIS = 3_000;
  private final RateLimiterOptions options = RateLimiterOptions.defaults().deadline(DEADLINE);
  private ServerProcess server;
  private CuttingProxy proxy;

  @BeforeEach
  void start() throws IOException {
    server = new EmbeddedServer().start();
    proxy = new CuttingProxy(server.url());
  }

  @AfterEach
  void stop() throws IOException {
    server.thaw();
    proxy.close();
    server.close();
  }

  static Stream<ClientOptions> userOptions() {
    ClientOptions.Builder rejecting =
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS);
    return Stream.of(
        ClientOptions.create(),
        rejecting.build(),
        ClientOptions.builder().autoReconnect(false).build());
  }

  @Test
  @DisplayName("a connection cut after execution: one charge, and the caller is told")
  void cutAfterExecution() throws Exception {
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(proxy.uri(), options)) {
      cutOnce(limiters);
      AsyncRateLimiter api = limiters.asyncLimiter("api", LIMIT);
      Servers.await(
          Duration.ofSeconds(3),
          () -> failure(api.tryAcquire("other").toCompletableFuture()) == null);
    }
  }

  @ParameterizedTest
  @MethodSource("userOptions")
  @DisplayName(
      "the same on the application's connection, whatever its options, three cuts in a row")
  void cutOfUsersConnection(ClientOptions userOptions) throws Exception {
    RedisClient client = RedisClient.create(proxy.uri());
    client.setOptions(userOptions);
    try (StatefulRedisConnection<String, String> connection = client.connect();
        LettuceRateLimiters limiters = LettuceRateLimiters.using(connection, options)) {
      limiters.limiter("api", LIMIT).tryAcquire("loaded");
      proxy.cut(3);
      assertThatThrownBy(() -> limiters.limiter("api", LIMIT).tryAcquire("u"))
          .isInstanceOf(MayHaveBeenChargedException.class);
      proxy.cut(0);
      if (userOptions.isAutoReconnect()) {
        Servers.await(Duration.ofSeconds(5), connection::isOpen);
        assertThat(connection.sync().ping()).isEqualTo("PONG");
      }
      assertThat(charges("u")).isEqualTo(1);
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("a batch whose connection is cut is charged once, and each call says so")
  void cutBatch() throws Exception {
    RedisClient client = RedisClient.create(proxy.uri());
    try (StatefulRedisConnection<String, String> connection = client.connect();
        LettuceRateLimiters limiters = LettuceRateLimiters.using(connection, options)) {
      limiters.limiter("api", LIMIT).tryAcquire("loaded");
      proxy.cut(1);
      List<Outcome> outcomes = limiters.limiter("api", LIMIT).tryAcquireAll(List.of("a", "b", "c"));
      for (Outcome outcome : outcomes) {
        assertThatThrownBy(outcome::decision).isInstanceOf(MayHaveBeenChargedException.class);
        assertThat(charges(outcome.subject())).isEqualTo(1);
      }
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("a stopped server: 64 threads are answered within the deadline")
  void stoppedServer() throws Exception {
    try (LettuceRateLimiters limiters =
        LettuceRateLimiters.connect(
            server.url().toString(), options.onUnavailable(OnUnavailable.DENY))) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      api.tryAcquire("u");
      server.freeze();
      ExecutorService threads = Executors.newFixedThreadPool(64);
      List<Future<Long>> slowest = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        slowest.add(threads.submit(() -> slowestOf(3, api)));
      }
      for (Future<Long> millis : slowest) {
        assertThat(millis.get(30, TimeUnit.SECONDS)).isLessThan(DEADLINE.toMillis() + SLACK_MILLIS);
      }
      threads.shutdown();
      server.thaw();
      Servers.await(Duration.ofSeconds(5), () -> api.tryAcquire("u").enforced());
      assertThat(charges("u")).isBetween(2L, 1L + 64 * 3 + 250);
    }
  }

  @Test
  @DisplayName("10,000 asynchronous calls while the server is down are rejected; none comes later")
  void serverDown() throws Exception {
    try (LettuceRateLimiters limiters =
        LettuceRateLimiters.connect(server.url().toString(), options)) {
      rejectsWhileDown(limiters);
    }
  }

  @Test
  @DisplayName("the same on the application's connection with Lettuce's default options")
  void serverDownUnderUsersConnection() throws Exception {
    RedisClient client = RedisClient.create(server.url().toString());
    try (StatefulRedisConnection<String, String> connection = client.connect();
        LettuceRateLimiters limiters = LettuceRateLimiters.using(connection, options)) {
      rejectsWhileDown(limiters);
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName(
      "more calls than the backlog holds while the server is stopped: the rest is rejected at once")
  void backPressure() throws Exception {
    // Long enough that the silent connection is not given up while calls are still made.
    RateLimiterOptions patient = options.deadline(Duration.ofSeconds(4));
    try (LettuceRateLimiters limiters =
        LettuceRateLimiters.connect(server.url().toString(), patient)) {
      AsyncRateLimiter api = limiters.asyncLimiter("api", LIMIT);
      api.tryAcquire("u").toCompletableFuture().get();
      server.freeze();
      List<CompletableFuture<Decision>> calls = calls(api, 30_000);
      long rejected =
          calls.stream().filter(call -> failure(call) instanceof RedisException).count();
      assertThat(rejected).isBetween(9_000L, 11_000L);
      calls.forEach(call -> assertThat(failure(call)).isNotNull());
      server.thaw();
      Servers.await(
          Duration.ofSeconds(5), () -> failure(api.tryAcquire("u").toCompletableFuture()) == null);
      assertThat(charges("u")).isBetween(2L, 30_000 - rejected + 100);
    }
  }

  private void cutOnce(LettuceRateLimiters limiters) {
    limiters.limiter("api", LIMIT).tryAcquire("loaded");
    proxy.cut(1);
    assertThatThrownBy(() -> limiters.limiter("api", LIMIT).tryAcquire("u"))
        .isInstanceOf(MayHaveBeenChargedException.class);
    assertThat(proxy.cutsLeft()).isZero();
    assertThat(charges("u")).isEqualTo(1);
  }

  private void rejectsWhileDown(LettuceRateLimiters limiters) throws Exception {
    AsyncRateLimiter api = limiters.asyncLimiter("api", LIMIT);
    api.tryAcquire("u").toCompletableFuture().get();
    server.kill();
    Servers.await(
        Duration.ofSeconds(5),
        () -> failure(api.tryAcquire("x").toCompletableFuture()) instanceof RedisException);
    List<CompletableFuture<Decision>> calls = calls(api, 10_000);
    assertThat(calls).allMatch(call -> failure(call) instanceof RedisException);
    server.restart();
    Servers.await(
        Duration.ofSeconds(10), () -> failure(api.tryAcquire("y").toCompletableFuture()) == null);
    assertThat(charges("u")).isZero();
    assertThat(charges("x")).isZero();
  }

  private static List<CompletableFuture<Decision>> calls(AsyncRateLimiter api, int count) {
    List<CompletableFuture<Decision>> calls = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      calls.add(api.tryAcquire("u").toCompletableFuture());
    }
    return calls;
  }

  private static Throwable failure(CompletableFuture<Decision> call) {
    Throwable thrown = catchThrowable(() -> call.get(30, TimeUnit.SECONDS));
    return thrown == null ? null : thrown.getCause();
  }

  private static long slowestOf(int calls, RateLimiter api) {
    long slowest = 0;
    for (int i = 0; i < calls; i++) {
      long begin = System.nanoTime();
      api.tryAcquire("u");
      slowest = Math.max(slowest, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }
    return slowest;
  }

  private long charges(String subject) {
    try (LettuceRateLimiters direct =
        LettuceRateLimiters.connect(server.url().toString(), options)) {
      Usage usage = direct.limiter("api", LIMIT).peek(subject);
      return usage.limit() - usage.remaining();
    }
  }
}
