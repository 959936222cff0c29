package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.Decision;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.ScriptRefusedException;
import io.github.penstock.core.engine.ScriptRunner;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerInterval;
import io.github.penstock.testkit.server.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.providers.PooledConnectionProvider;

class JedisRateLimitersTest {
  private static final TokenBucket HUNDRED = TokenBucket.of(100).refill(10, Duration.ofHours(1));
  private static ServerProcess server;
  private final RateLimiterOptions options =
      RateLimiterOptions.builder()
          .prefix(UUID.randomUUID().toString())
          .deadline(Duration.ofSeconds(30))
          .build();

  @BeforeAll
  static void start() {
    server = new EmbeddedServer().start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  @DisplayName("the example: limit, ask, be told when to come back")
  void example() {
    List<Duration> waits = new ArrayList<>();
    ServerInterval interval = ServerInterval.begin(server);
    try (JedisRateLimiters limiters = JedisRateLimiters.connect(uri(), options)) {
      RateLimiter api = limiters.limiter("api", HUNDRED);
      for (int call = 0; call < 102; call++) {
        Decision decision = api.tryAcquire("user:42");
        if (!decision.allowed()) {
          waits.add(decision.retryAfter());
        }
      }
    }
    Duration oneMore = Duration.ofMinutes(6);
    assertThat(waits).hasSize(2);
    assertThat(waits.get(0)).isBetween(oneMore.minus(interval.elapsed()), oneMore);
    String state = options.prefix() + ":api:{user:42}:b100.10.3600000000";
    assertThat(String.valueOf(server.call("GET", state))).hasSize(16);
  }

  @Test
  @DisplayName("all verbs, all limits")
  void verbs() {
    try (JedisRateLimiters limiters = JedisRateLimiters.connect(uri(), options)) {
      RateLimiter window =
          limiters.limiter(
              "w",
              FixedWindow.of(5, Duration.ofHours(1)).and(FixedWindow.of(7, Duration.ofDays(1))));
      ServerInterval interval = ServerInterval.begin(server);
      assertThat(window.tryAcquire("u", 4).remaining()).isEqualTo(1);
      Decision denied = window.tryAcquire("u", 2);
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.tier()).isEqualTo(1);
      assertThat(denied.retryAfter())
          .isBetween(Duration.ofHours(1).minus(interval.elapsed()), Duration.ofHours(1));
      assertThat(window.tryAcquire("u", 6).impossible()).isTrue();
      assertThat(window.peek("u").remaining()).isEqualTo(1);
      assertThat(window.refund("u", 3).remaining()).isEqualTo(4);
      assertThat(window.reset("u").remaining()).isEqualTo(5);
      RateLimiter leaky = limiters.limiter("l", LeakyBucket.of(10).leak(1, Duration.ofHours(1)));
      assertThat(leaky.tryAcquire("u", 3).delay()).isZero();
      assertThat(leaky.tryAcquire("u").delay())
          .isBetween(Duration.ofHours(3).minus(interval.elapsed()), Duration.ofHours(3));
      assertThat(leaky.peek("u").delay())
          .isBetween(Duration.ofHours(4).minus(interval.elapsed()), Duration.ofHours(4));
    }
  }

  @Test
  @DisplayName("a flushed script is healed, alone and in a batch, and each call is charged once")
  void scriptFlush() {
    try (JedisRateLimiters limiters = JedisRateLimiters.connect(uri(), options)) {
      RateLimiter api = limiters.limiter("api", FixedWindow.of(1_000, Duration.ofHours(1)));
      server.call("SCRIPT", "FLUSH");
      assertThat(api.tryAcquire("u").remaining()).isEqualTo(999);
      server.call("SCRIPT", "FLUSH");
      List<Outcome> outcomes = api.tryAcquireAll(Collections.nCopies(600, "u"));
      assertThat(outcomes)
          .extracting(outcome -> outcome.decision().remaining())
          .isEqualTo(IntStream.range(0, 600).mapToObj(i -> 998L - i).toList());
    }
  }

  @Test
  @DisplayName("a batch is one flight; subjects of any kind, and one bad one spoils no other")
  void batch() {
    try (JedisRateLimiters limiters = JedisRateLimiters.connect(uri(), options)) {
      RateLimiter api = limiters.limiter("api", HUNDRED);
      server.call("SET", options.prefix() + ":api:{taken}:b100.10.3600000000", "17");
      List<Outcome> outcomes =
          api.tryAcquireAll(
              List.of("a{b}", "\ud83d", "taken", "nul\0", "grün", "x".repeat(10_240)));
      assertThat(outcomes.get(0).decision().remaining()).isEqualTo(99);
      assertThatIllegalArgumentException().isThrownBy(outcomes.get(1)::decision);
      assertThatThrownBy(outcomes.get(2)::decision)
          .isInstanceOf(ScriptRefusedException.class)
          .hasMessageStartingWith("penstock token-bucket: state");
      assertThat(outcomes.subList(3, 6)).allMatch(outcome -> outcome.decision().allowed());
    }
    assertThat((List<?>) server.call("KEYS", options.prefix() + "*"))
        .asString()
        .contains(options.prefix() + ":api:{a%7Bb%7D}:b100.10.3600000000");
  }

  @Test
  @DisplayName(
      "functions, once loaded, answer as the scripts do; before that the failure says what to do")
  void functions() {
    RateLimiterOptions byFunction = options.toBuilder().functions(true).build();
    try (JedisRateLimiters limiters = JedisRateLimiters.connect(uri(), byFunction)) {
      RateLimiter api = limiters.limiter("api", HUNDRED);
      server.call("FUNCTION", "FLUSH");
      assertThatThrownBy(() -> api.tryAcquire("u"))
          .isInstanceOf(PenstockException.class)
          .hasMessageContaining("loadFunctions()");
      limiters.loadFunctions();
      limiters.loadFunctions();
      assertThat(api.tryAcquire("u").remaining()).isEqualTo(99);
      assertThat(api.tryAcquireAll(List.of("u", "u"))).allMatch(o -> o.decision().allowed());
    }
    RateLimiterOptions lagging = byFunction.toBuilder().peekOnReplicas(true).build();
    try (RedisClient client = RedisClient.create(address());
        JedisRateLimiters limiters = JedisRateLimiters.using(client, lagging)) {
      assertThat(limiters.limiter("api", HUNDRED).peek("u").remaining()).isEqualTo(97);
    }
  }

  @Test
  @DisplayName("the application's client stays open, and keeps its own time-outs")
  void usersClient() {
    try (RedisClient client = RedisClient.create(address())) {
      try (JedisRateLimiters limiters = JedisRateLimiters.using(client, options)) {
        assertThat(limiters.limiter("api", HUNDRED).tryAcquire("u").allowed()).isTrue();
      }
      assertThat(client.ping()).isEqualTo("PONG");
      try (var connection = client.getPool().getResource()) {
        assertThat(connection.getSoTimeout()).isEqualTo(2_000);
      }
      assertThat(client.getPool().getNumActive()).isZero();
    }
    try (UnifiedJedis other =
        new UnifiedJedis(new PooledConnectionProvider(address()), RedisProtocol.RESP2) {}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> JedisRateLimiters.using(other))
          .withMessageStartingWith("client must be a RedisClient");
    }
  }

  @Test
  @DisplayName("scripts run with the time given, by SHA1 and by the read-only command")
  void timedScripts() {
    try (JedisRateLimiters limiters = JedisRateLimiters.connect(uri(), options)) {
      List<String> arguments = List.of("1", "3", "3", "3000000", "1700000000000000");
      ScriptRunner scripts = new ScriptRunner(limiters.port(), options);
      String key = options.prefix() + "timed";
      assertThat(scripts.run(LuaScript.TOKEN_BUCKET, key, arguments))
          .containsExactly(1L, 3L, 2L, 0L, 1_000_000L, 1L);
      List<String> look = List.of("0", "3", "3", "3000000", "1700000000500000");
      assertThat(scripts.runReadOnly(LuaScript.TOKEN_BUCKET, key, look))
          .containsExactly(1L, 3L, 2L, 0L, 500_000L, 1L);
      assertThatThrownBy(() -> scripts.run(LuaScript.TOKEN_BUCKET, key, List.of("nan", "3")))
          .isInstanceOf(ScriptRefusedException.class)
          .hasMessageStartingWith("penstock token-bucket: ");
    }
  }

  @Test
  @DisplayName("a wrong URI, a refused port and a wrong password are told as they are")
  void cannotConnect() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JedisRateLimiters.connect("http://user:secret@localhost"))
        .withMessageStartingWith("uri must be redis://")
        .withMessageNotContaining("secret");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JedisRateLimiters.connect("redis://user:sec ret@localhost"))
        .withMessageNotContaining("sec ret");
    RateLimiterOptions quick = options.toBuilder().deadline(Duration.ofMillis(100)).build();
    try (JedisRateLimiters limiters = JedisRateLimiters.connect("redis://127.0.0.1:1", quick)) {
      assertThatThrownBy(() -> limiters.limiter("api", HUNDRED).tryAcquire("u"))
          .isExactlyInstanceOf(NoDecisionException.class);
    }
    try (ServerProcess locked = new EmbeddedServer().start()) {
      locked.call("CONFIG", "SET", "requirepass", "right");
      String wrong = locked.url().toString().replace("//", "//:wrong@");
      try (JedisRateLimiters limiters = JedisRateLimiters.connect(wrong, options)) {
        assertThatThrownBy(() -> limiters.limiter("api", HUNDRED).tryAcquire("u"))
            .isExactlyInstanceOf(PenstockException.class)
            .hasMessageContaining(": WRONGPASS")
            .hasRootCauseInstanceOf(JedisDataException.class);
      }
      String right = locked.url().toString().replace("//", "//:right@") + "/3";
      try (JedisRateLimiters limiters = JedisRateLimiters.connect(right, options)) {
        assertThat(limiters.limiter("api", HUNDRED).tryAcquire("u").allowed()).isTrue();
      }
    }
  }

  private static String uri() {
    return server.url().toString();
  }

  private static HostAndPort address() {
    return new HostAndPort(server.url().host(), server.url().port());
  }
}
