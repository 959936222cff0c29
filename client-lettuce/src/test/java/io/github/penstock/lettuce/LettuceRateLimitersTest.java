package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.engine.LimitEncoding;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.testkit.server.CommandCount;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerInterval;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ReplicaSync;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandType;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LettuceRateLimitersTest {
  private static final TokenBucket TEN = TokenBucket.of(10).refill(1, Duration.ofHours(1));
  private static final LimitEncoding TEN_ENCODED = LimitEncoding.of(TEN);
  private static final RateLimiterOptions OPTIONS =
      RateLimiterOptions.builder().deadline(Duration.ofSeconds(30)).build();
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
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri(), OPTIONS)) {
      RateLimiter api = limiters.limiter("ten", TEN);
      ServerInterval interval = ServerInterval.begin(server);
      for (int i = 9; i >= 0; i--) {
        assertThat(api.tryAcquire("user:42").remaining()).isEqualTo(i);
      }
      Decision denied = api.tryAcquire("user:42");
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.retryAfter())
          .isBetween(Duration.ofHours(1).minus(interval.elapsed()), Duration.ofHours(1));
      assertThat(api.refund("user:42", 3).remaining()).isEqualTo(3);
      assertThat(api.peek("user:42").remaining()).isEqualTo(3);
      assertThat(api.reset("user:42").remaining()).isEqualTo(10);
    }
  }

  @Test
  @DisplayName("ten lines, asynchronous, 1,000 calls at once, exactly the limit")
  void asynchronous() throws Exception {
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri(), OPTIONS)) {
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
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri(), OPTIONS)) {
      RateLimiter api = limiters.limiter("heal", TEN);
      server.call("SCRIPT", "FLUSH");
      assertThat(api.tryAcquire("one").remaining()).isEqualTo(9);
      server.call("SCRIPT", "FLUSH");
      List<String> subjects = IntStream.range(0, 100).mapToObj(i -> "s" + i % 50).toList();
      List<Outcome> outcomes = api.tryAcquireAll(subjects);
      assertThat(outcomes).extracting(Outcome::subject).isEqualTo(subjects);
      assertThat(outcomes).allMatch(outcome -> outcome.decision().allowed());
      assertThat(api.peek("s0").remaining()).isEqualTo(8);
      server.call("SCRIPT", "FLUSH");
      List<Outcome> later =
          limiters.asyncLimiter("heal", TEN).tryAcquireAll(subjects).toCompletableFuture().get();
      assertThat(later).allMatch(outcome -> outcome.decision().allowed());
      assertThat(api.peek("s49").remaining()).isEqualTo(6);
    }
  }

  @Test
  @DisplayName("one failure in a batch does not spoil its neighbours")
  void neighbours() {
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri(), OPTIONS)) {
      RateLimiter api = limiters.limiter("batch", TEN);
      server.call("SET", "penstock:batch:{bad}:" + TEN_ENCODED.marker(), "17");
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
      try (LettuceRateLimiters limiters = LettuceRateLimiters.using(connection, OPTIONS)) {
        assertThat(limiters.limiter("own", TEN).tryAcquire("Ä {x} %").remaining()).isEqualTo(9);
      }
      assertThat(connection.isOpen()).isTrue();
      assertThat(connection.sync().get("penstock:own:{Ä %7Bx%7D %25}:" + TEN_ENCODED.marker()))
          .isNotNull();
    }
  }

  @Test
  @DisplayName("functions: a call before they are loaded says so, afterwards FCALL decides")
  void functions() {
    RateLimiterOptions options = OPTIONS.toBuilder().functions(true).build();
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri(), options)) {
      RateLimiter api =
          limiters.limiter("functions", LeakyBucket.of(10).leak(1, Duration.ofHours(1)));
      server.call("FUNCTION", "FLUSH");
      assertThatThrownBy(() -> api.tryAcquire("u"))
          .isInstanceOf(PenstockException.class)
          .hasMessageContaining("loadFunctions()");
      limiters.loadFunctions();
      limiters.loadFunctions();
      assertThat(api.tryAcquire("u").remaining()).isEqualTo(9);
      assertThat(CommandCount.of(server, "fcall").executed()).isPositive();
    }
  }

  @Test
  @DisplayName("a look goes to the replica if asked, a charge never")
  void peekOnReplica() {
    assumeLooksOnReplicas();
    String port = Integer.toString(server.url().port());
    try (ServerProcess replica =
        new EmbeddedServer()
            .start("--repl-diskless-sync-delay", "0", "--replicaof", "127.0.0.1", port)) {
      ReplicaSync.await(server, replica);
      RateLimiterOptions options = OPTIONS.toBuilder().peekOnReplicas(true).build();
      try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri(), options)) {
        RateLimiter api = limiters.limiter("replica", TEN);
        assertThat(api.tryAcquire("u").remaining()).isEqualTo(9);
        ReplicaSync.await(server, replica);
        assertThat(api.peek("u").remaining()).isEqualTo(9);
        assertThat(CommandCount.of(replica, "evalsha_ro").calls()).isPositive();
        assertThat(CommandCount.of(replica, "evalsha").calls()).isZero();
        assertThat(CommandCount.of(server, "evalsha_ro").calls()).isZero();
      }
    }
  }

  @Test
  @DisplayName(
      "a pool lends a connection to each call and gets it back; a call waits for one that is lent")
  void pool() throws Exception {
    BoundedAsyncPool<StatefulRedisConnection<String, String>> pool =
        AsyncConnectionPoolSupport.createBoundedObjectPool(
            () -> client.connectAsync(StringCodec.UTF8, RedisURI.create(uri())),
            BoundedPoolConfig.builder().maxTotal(2).build());
    try (LettuceRateLimiters limiters = LettuceRateLimiters.using(pool, OPTIONS)) {
      RateLimiter api = limiters.limiter("pool", TEN);
      for (int i = 9; i >= 0; i--) {
        assertThat(api.tryAcquire("u").remaining()).isEqualTo(i);
      }
      assertThat(api.tryAcquireAll(List.of("a", "b", "a"))).hasSize(3);
      assertThat(pool.getObjectCount()).isBetween(1, 2);
      assertThat(pool.getIdle()).isEqualTo(pool.getObjectCount());
      List<StatefulRedisConnection<String, String>> taken =
          List.of(pool.acquire().get(), pool.acquire().get());
      RateLimiter quick =
          LettuceRateLimiters.using(
                  pool, OPTIONS.toBuilder().deadline(Duration.ofMillis(100)).build())
              .limiter("pool", TEN);
      assertThatThrownBy(() -> quick.tryAcquire("u"))
          .isExactlyInstanceOf(NoDecisionException.class)
          .hasCauseInstanceOf(NoSuchElementException.class);
      CompletableFuture<Decision> waiting =
          limiters.asyncLimiter("pool", TEN).tryAcquire("u").toCompletableFuture();
      assertThat(waiting).isNotDone();
      taken.forEach(pool::release);
      assertThat(waiting.get().allowed()).isFalse();
    } finally {
      pool.close();
    }
  }

  @Test
  @DisplayName("a call that is cancelled before it was written never is")
  void cancelled() {
    try (StatefulRedisConnection<byte[], byte[]> connection =
            client.connect(ByteArrayCodec.INSTANCE);
        LettuceRateLimiters limiters = LettuceRateLimiters.using(connection, OPTIONS)) {
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

  /** Skips a test about looks on replicas with a Lettuce that always sends them to the master. */
  static void assumeLooksOnReplicas() {
    assumeTrue(
        Stream.of(CommandType.values()).anyMatch(type -> type.name().equals("EVALSHA_RO")),
        "this version of Lettuce does not know EVALSHA_RO, so looks go to the master");
  }

  private static ScriptCall charge(String policy, String subject) {
    byte[] key = utf8("penstock:" + policy + ":{" + subject + "}:" + TEN_ENCODED.marker());
    byte[][] tiers =
        TEN_ENCODED.arguments().stream().map(LettuceRateLimitersTest::utf8).toArray(byte[][]::new);
    return new ScriptCall(
        ScriptCall.Verb.EVALSHA, TEN_ENCODED.script(), key, utf8("1"), tiers, System.nanoTime());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String uri() {
    return server.url().toString();
  }
}
