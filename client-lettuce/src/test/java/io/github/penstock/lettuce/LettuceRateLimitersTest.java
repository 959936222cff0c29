package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.suite.GivenClients;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.testkit.server.CommandCount;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ReplicaSync;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.support.AsyncConnectionPoolSupport;
import io.lettuce.core.support.BoundedAsyncPool;
import io.lettuce.core.support.BoundedPoolConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LettuceRateLimitersTest {
  private static final Limit TEN = TokenBucket.of(10).refill(1, Duration.ofHours(1));
  private static final LimitEncoding TEN_ENCODED = LimitEncoding.of(TEN);
  private static final RateLimiterOptions OPTIONS =
      RateLimiterOptions.builder().deadline(Duration.ofSeconds(30)).build();
  @AutoClose private static final ServerProcess server = new EmbeddedServer().start();

  @AutoClose("shutdown")
  private static final RedisClient client = RedisClient.create(uri());

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
  @DisplayName("a connection that the application has closed is a mistake, and no outage")
  void closedConnection() {
    StatefulRedisConnection<String, String> connection = client.connect();
    GivenClients.closed(
        given -> LettuceRateLimiters.using(connection, given),
        connection::close,
        "the connection that was passed in is closed");
  }

  @Test
  @DisplayName("a pool that the application has closed is a mistake, and no outage")
  void closedPool() {
    BoundedAsyncPool<StatefulRedisConnection<String, String>> pool =
        AsyncConnectionPoolSupport.createBoundedObjectPool(
            () -> client.connectAsync(StringCodec.UTF8, RedisURI.create(uri())),
            BoundedPoolConfig.create());
    GivenClients.closed(
        given -> LettuceRateLimiters.using(pool, given),
        pool::close,
        "the pool that was passed in is closed");
  }

  @Test
  @DisplayName("a peek goes to the replica if asked, a charge never")
  void peekOnReplica() {
    assumePeeksOnReplicas();
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

  @LoadTest
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
      AsyncRateLimiter async = limiters.asyncLimiter("pool", TEN);
      async.tryAcquire("u").thenCompose(first -> async.tryAcquire("u")).toCompletableFuture().get();
      for (int i = 7; i >= 0; i--) {
        assertThat(api.tryAcquire("u").remaining()).isEqualTo(i);
      }
      assertThat(api.tryAcquireAll(List.of("a", "b", "a"))).hasSize(3);
      /* The check may need a second one. */
      assertThat(pool.getObjectCount()).isBetween(1, 2);
      assertThat(pool.getIdle()).isEqualTo(pool.getObjectCount());
      List<StatefulRedisConnection<String, String>> taken =
          List.of(pool.acquire().get(), pool.acquire().get());
      RateLimiter quick =
          LettuceRateLimiters.using(
                  pool, OPTIONS.toBuilder().deadline(Duration.ofMillis(100)).build())
              .limiter("pool", TEN);
      assertThat(quick.tryAcquire("u").source()).isEqualTo(DecisionSource.OVERLOADED);
      CompletableFuture<Decision> waiting = async.tryAcquire("u").toCompletableFuture();
      assertThat(waiting).isNotDone();
      taken.forEach(pool::release);
      assertThat(waiting.get().allowed()).isFalse();
    } finally {
      pool.close();
    }
  }

  @Test
  @DisplayName("a connection on which the application has subscribed is refused")
  void subscribed() {
    RateLimiterOptions open = OPTIONS.toBuilder().onUnavailable(OnUnavailable.ALLOW).build();
    RedisClient own = RedisClient.create(uri());
    try (StatefulRedisPubSubConnection<String, String> connection = pubSub(own);
        LettuceRateLimiters limiters = LettuceRateLimiters.using(connection, open)) {
      connection.sync().subscribe("news");
      RateLimiter api = limiters.limiter("subscribed", TEN);
      // The server says so until Lettuce has noticed.
      PenstockException last = null;
      for (int i = 0; i < 100 && !(last instanceof MisconfiguredException); i++) {
        last = catchThrowableOfType(PenstockException.class, () -> api.tryAcquire("u"));
        assertThat(last.kind().outage()).isFalse();
      }
      assertThat(last).hasMessageContaining("has subscribed on this connection");
    } finally {
      own.shutdown();
    }
  }

  private static StatefulRedisPubSubConnection<String, String> pubSub(RedisClient own) {
    own.setOptions(ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build());
    return own.connectPubSub();
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
          ConnectionTransport.own(connection, null, () -> {}, null)
              .send(charge("cancelled", "u"))
              .toCompletableFuture();
      assertThat(call.cancel(true)).isTrue();
      connection.flushCommands();
      connection.setAutoFlushCommands(true);
      assertThat(api.peek("u").remaining()).isEqualTo(10);
    }
  }

  /** Skips a test about peeks on replicas with a Lettuce that always sends them to the master. */
  static void assumePeeksOnReplicas() {
    assumeTrue(
        Stream.of(CommandType.values()).anyMatch(type -> type.name().equals("EVALSHA_RO")),
        "this version of Lettuce does not know EVALSHA_RO, so peeks go to the master");
  }

  private static ScriptCall charge(String policy, String subject) {
    byte[] key = utf8("penstock:" + policy + ":{" + subject + "}:" + TEN_ENCODED.marker());
    byte[][] tiers =
        TEN_ENCODED.arguments().stream().map(LettuceRateLimitersTest::utf8).toArray(byte[][]::new);
    return new ScriptCall(
        ScriptCall.Verb.EVALSHA,
        TEN_ENCODED.script(),
        key,
        utf8("1"),
        tiers,
        TimeSource.SYSTEM.nanos(),
        TimeSource.SYSTEM);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String uri() {
    return server.url().toString();
  }
}
