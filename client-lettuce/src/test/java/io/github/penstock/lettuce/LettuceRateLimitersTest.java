package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.ServerProcess;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.LeakyBucket;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.TokenBucket;
import io.github.penstock.core.spi.ScriptCall;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.support.AsyncConnectionPoolSupport;
import io.lettuce.core.support.BoundedAsyncPool;
import io.lettuce.core.support.BoundedPoolConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LettuceRateLimitersTest {
  private static final TokenBucket TEN = TokenBucket.of(10).refill(1, Duration.ofHours(1));
  private static ServerProcess server;
  private static RedisClient client;

  @BeforeAll
  static void start() {
    server = new EmbeddedServer().start();
    client = RedisClient.create(uri());
  }

  @AfterAll
  static void stop() {
    client.shutdown(0, 1, TimeUnit.SECONDS);
    server.close();
  }

  @Test
  @DisplayName("ten lines, blocking")
  void blocking() {
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri())) {
      RateLimiter api = limiters.limiter("ten", TEN);
      for (int i = 9; i >= 0; i--) {
        assertThat(api.tryAcquire("user:42").remaining()).isEqualTo(i);
      }
      Decision denied = api.tryAcquire("user:42");
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.retryAfter()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
      assertThat(api.refund("user:42", 3).remaining()).isEqualTo(3);
      assertThat(api.peek("user:42").remaining()).isEqualTo(3);
      assertThat(api.reset("user:42").remaining()).isEqualTo(10);
    }
  }

  @Test
  @DisplayName("ten lines, asynchronous, 1,000 calls at once, exactly the limit")
  void asynchronous() throws Exception {
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri())) {
      AsyncRateLimiter api = limiters.asyncLimiter("async", TEN);
      List<CompletableFuture<Decision>> calls = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        calls.add(api.tryAcquire("user:42").toCompletableFuture());
      }
      int allowed = 0;
      for (CompletableFuture<Decision> call : calls) {
        allowed += call.get().allowed() ? 1 : 0;
      }
      assertThat(allowed).isEqualTo(10);
    }
  }

  @Test
  @DisplayName("NOSCRIPT is healed after SCRIPT FLUSH, singly and in a batch, charged once")
  void noScript() throws Exception {
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri())) {
      RateLimiter api = limiters.limiter("heal", TEN);
      Servers.call(server, "SCRIPT", "FLUSH");
      assertThat(api.tryAcquire("one").remaining()).isEqualTo(9);
      Servers.call(server, "SCRIPT", "FLUSH");
      List<String> subjects = IntStream.range(0, 100).mapToObj(i -> "s" + i % 50).toList();
      List<Outcome> outcomes = api.tryAcquireAll(subjects);
      assertThat(outcomes).extracting(Outcome::subject).isEqualTo(subjects);
      assertThat(outcomes).allMatch(outcome -> outcome.decision().allowed());
      assertThat(api.peek("s0").remaining()).isEqualTo(8);
      Servers.call(server, "SCRIPT", "FLUSH");
      List<Outcome> later =
          limiters.asyncLimiter("heal", TEN).tryAcquireAll(subjects).toCompletableFuture().get();
      assertThat(later).allMatch(outcome -> outcome.decision().allowed());
      assertThat(api.peek("s49").remaining()).isEqualTo(6);
    }
  }

  @Test
  @DisplayName("one failure in a batch does not spoil its neighbours")
  void neighbours() {
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri())) {
      RateLimiter api = limiters.limiter("batch", TEN);
      Servers.call(server, "SET", "penstock:batch:{bad}:" + TEN.marker(), "17");
      List<Outcome> outcomes = api.tryAcquireAll(List.of("good", "bad", "good"));
      assertThat(outcomes.get(0).decision().remaining()).isEqualTo(9);
      assertThatThrownBy(() -> outcomes.get(1).decision())
          .isInstanceOf(PenstockException.class)
          .hasMessageContaining("state");
      assertThat(outcomes.get(2).decision().remaining()).isEqualTo(8);
    }
  }

  @Test
  @DisplayName("the application's connection is used whatever its codec, and stays open")
  void usersConnection() {
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      try (LettuceRateLimiters limiters = LettuceRateLimiters.using(connection)) {
        assertThat(limiters.limiter("own", TEN).tryAcquire("Ä {x} %").remaining()).isEqualTo(9);
      }
      assertThat(connection.isOpen()).isTrue();
      assertThat(connection.sync().get("penstock:own:{Ä %7Bx%7D %25}:" + TEN.marker())).isNotNull();
    }
  }

  @Test
  @DisplayName("functions: a call before they are loaded says so, afterwards FCALL decides")
  void functions() {
    RateLimiterOptions options = RateLimiterOptions.defaults().functions(true);
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri(), options)) {
      RateLimiter api =
          limiters.limiter("functions", LeakyBucket.of(10).leak(1, Duration.ofHours(1)));
      Servers.call(server, "FUNCTION", "FLUSH");
      assertThatThrownBy(() -> api.tryAcquire("u"))
          .isInstanceOf(PenstockException.class)
          .hasMessageContaining("loadFunctions()");
      limiters.loadFunctions();
      limiters.loadFunctions();
      assertThat(api.tryAcquire("u").remaining()).isEqualTo(9);
      assertThat(Servers.calls(server, "fcall")).isPositive();
    }
  }

  @Test
  @DisplayName("a look goes to the replica if asked, a charge never")
  void peekOnReplica() throws Exception {
    Servers.assumeLooksOnReplicas();
    String port = "" + server.url().port();
    try (ServerProcess replica = new EmbeddedServer().start("--replicaof", "127.0.0.1 " + port)) {
      Servers.await(
          Duration.ofSeconds(20),
          () ->
              String.valueOf(Servers.call(replica, "INFO", "replication"))
                  .contains("master_link_status:up"));
      RateLimiterOptions options = RateLimiterOptions.defaults().peekOnReplicas(true);
      try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri(), options)) {
        RateLimiter api = limiters.limiter("replica", TEN);
        assertThat(api.tryAcquire("u").remaining()).isEqualTo(9);
        Servers.await(Duration.ofSeconds(5), () -> api.peek("u").remaining() == 9);
        assertThat(Servers.calls(replica, "evalsha_ro")).isPositive();
        assertThat(Servers.calls(replica, "evalsha")).isZero();
        assertThat(Servers.calls(server, "evalsha_ro")).isZero();
      }
    }
  }

  @Test
  @DisplayName(
      "a pool lends a connection to each call and gets it back; an empty one fails at once")
  void pool() throws Exception {
    BoundedAsyncPool<StatefulRedisConnection<String, String>> pool =
        AsyncConnectionPoolSupport.createBoundedObjectPool(
            () -> client.connectAsync(StringCodec.UTF8, RedisURI.create(uri())),
            BoundedPoolConfig.builder().maxTotal(2).build());
    try (LettuceRateLimiters limiters = LettuceRateLimiters.using(pool)) {
      RateLimiter api = limiters.limiter("pool", TEN);
      for (int i = 9; i >= 0; i--) {
        assertThat(api.tryAcquire("u").remaining()).isEqualTo(i);
      }
      assertThat(api.tryAcquireAll(List.of("a", "b", "a"))).hasSize(3);
      assertThat(pool.getObjectCount()).isBetween(1, 2);
      assertThat(pool.getIdle()).isEqualTo(pool.getObjectCount());
      List<StatefulRedisConnection<String, String>> taken =
          List.of(pool.acquire().get(), pool.acquire().get());
      assertThatThrownBy(() -> api.tryAcquire("u")).isInstanceOf(NoSuchElementException.class);
      taken.forEach(StatefulRedisConnection::close);
      assertThat(api.tryAcquire("u").allowed()).isFalse();
    } finally {
      pool.close();
    }
  }

  @Test
  @DisplayName("a server that is not there: connect says so within the deadline")
  void nobodyThere() {
    ServerProcess gone = new EmbeddedServer().start();
    gone.close();
    assertThatThrownBy(() -> LettuceRateLimiters.connect(gone.url().toString()))
        .isInstanceOf(RedisConnectionException.class);
  }

  @Test
  @DisplayName("a call that is cancelled before it was written never is")
  void cancelled() {
    try (StatefulRedisConnection<byte[], byte[]> connection =
            client.connect(ByteArrayCodec.INSTANCE);
        LettuceRateLimiters limiters = LettuceRateLimiters.using(connection)) {
      RateLimiter api = limiters.limiter("cancelled", TEN);
      api.tryAcquire("warm");
      connection.setAutoFlushCommands(false);
      CompletableFuture<?> call =
          new ConnectionPort(connection).send(charge("cancelled", "u")).toCompletableFuture();
      assertThat(call.cancel(true)).isTrue();
      connection.flushCommands();
      connection.setAutoFlushCommands(true);
      assertThat(api.peek("u").remaining()).isEqualTo(10);
    }
  }

  private static ScriptCall charge(String policy, String subject) {
    byte[] key = utf8("penstock:" + policy + ":{" + subject + "}:" + TEN.marker());
    byte[][] tiers =
        TEN.arguments().stream().map(LettuceRateLimitersTest::utf8).toArray(byte[][]::new);
    return new ScriptCall(
        ScriptCall.Verb.EVALSHA, TEN.script(), key, utf8("1"), tiers, System.nanoTime());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String uri() {
    return server.url().toString();
  }
}
