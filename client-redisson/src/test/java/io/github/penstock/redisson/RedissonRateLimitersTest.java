package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AsyncRateLimiter;
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
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerInterval;
import io.github.penstock.testkit.server.ServerProcess;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

class RedissonRateLimitersTest {
  private static final TokenBucket HUNDRED = TokenBucket.of(100).refill(10, Duration.ofHours(1));
  private static final FixedWindow MANY = FixedWindow.of(100_000, Duration.ofHours(1));
  /* The deadline is longer than any machine needs, where it is not what is tested. */
  private static final RateLimiterOptions PATIENT =
      RateLimiterOptions.builder().deadline(Duration.ofSeconds(30)).build();
  private static ServerProcess server;
  private static RedissonRateLimiters shared;
  private final String prefix = UUID.randomUUID().toString();
  private final RateLimiterOptions options = PATIENT.toBuilder().prefix(prefix).build();

  @BeforeAll
  static void start() {
    server = new EmbeddedServer().start();
    shared = RedissonRateLimiters.connect(uri(), PATIENT);
  }

  @AfterAll
  static void stop() {
    shared.close();
    server.close();
  }

  @Test
  @DisplayName("the example: limit, ask, be told when to come back")
  void example() {
    List<Duration> waits = new ArrayList<>();
    ServerInterval interval = ServerInterval.begin(server);
    try (RedissonRateLimiters limiters = RedissonRateLimiters.connect(uri(), PATIENT)) {
      RateLimiter api = limiters.limiter("api", HUNDRED);
      for (int call = 0; call < 102; call++) {
        Decision decision = api.tryAcquire("user:42");
        if (!decision.allowed()) {
          waits.add(decision.retryAfter());
        }
      }
    }
    assertThat(waits).hasSize(2);
    Duration oneMore = Duration.ofMinutes(6);
    assertThat(waits.get(0)).isBetween(oneMore.minus(interval.elapsed()), oneMore);
    String state = "penstock:api:{user:42}:b100.10.3600000000";
    assertThat(String.valueOf(server.call("GET", state))).hasSize(16);
  }

  @Test
  @DisplayName("the example, asynchronous")
  void asyncExample() throws Exception {
    AsyncRateLimiter api = shared.asyncLimiter(prefix, MANY);
    List<CompletableFuture<Decision>> decisions =
        IntStream.range(0, 5_000).mapToObj(i -> api.tryAcquire("u").toCompletableFuture()).toList();
    List<Long> remaining = new ArrayList<>();
    for (CompletableFuture<Decision> decision : decisions) {
      remaining.add(decision.get().remaining());
    }
    assertThat(remaining).doesNotHaveDuplicates().contains(99_999L, 95_000L);
    assertThat(api.peek("u").toCompletableFuture().get().remaining()).isEqualTo(95_000);
    assertThat(api.refund("u", 3).toCompletableFuture().get().remaining()).isEqualTo(95_003);
    List<Outcome> outcomes = api.tryAcquireAll(List.of("u", "v", "u")).toCompletableFuture().get();
    assertThat(outcomes)
        .extracting(o -> o.decision().remaining())
        .containsExactly(95_002L, 99_999L, 95_001L);
  }

  @Test
  @DisplayName("all verbs, all limits")
  void verbs() {
    RateLimiter window =
        shared.limiter(
            prefix,
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
    RateLimiter leaky = shared.limiter(prefix, LeakyBucket.of(10).leak(1, Duration.ofHours(1)));
    assertThat(leaky.tryAcquire("u", 3).delay()).isZero();
    assertThat(leaky.tryAcquire("u").delay())
        .isBetween(Duration.ofHours(3).minus(interval.elapsed()), Duration.ofHours(3));
    assertThat(leaky.peek("u").delay())
        .isBetween(Duration.ofHours(4).minus(interval.elapsed()), Duration.ofHours(4));
  }

  @Test
  @DisplayName("a flushed script is healed, alone and in a batch, and each call is charged once")
  void scriptFlush() {
    healsAfterFlush(shared);
  }

  @Test
  @DisplayName("so it is on a client that keeps a cache of scripts itself")
  void scriptFlushWithCache() {
    Config config = config(server.url()).setUseScriptCache(true);
    RedissonClient client = Redisson.create(config);
    try (RedissonRateLimiters limiters = RedissonRateLimiters.using(client, PATIENT)) {
      healsAfterFlush(limiters);
    } finally {
      client.shutdown();
    }
  }

  private void healsAfterFlush(RedissonRateLimiters limiters) {
    RateLimiter api = limiters.limiter(prefix, MANY);
    for (int round = 0; round < 3; round++) {
      long left = 100_000 - round * 601L;
      server.call("SCRIPT", "FLUSH");
      assertThat(api.tryAcquire("u").remaining()).isEqualTo(left - 1);
      server.call("SCRIPT", "FLUSH");
      assertThat(api.tryAcquireAll(Collections.nCopies(600, "u")))
          .extracting(outcome -> outcome.decision().remaining())
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, 600).mapToObj(i -> left - 2 - i).toList());
    }
  }

  @Test
  @DisplayName("a batch is in order; subjects of any kind, and one bad one spoils no other")
  void batch() {
    RateLimiter api = shared.limiter(prefix, HUNDRED);
    server.call("SET", "penstock:" + prefix + ":{taken}:b100.10.3600000000", "17");
    List<Outcome> outcomes =
        api.tryAcquireAll(List.of("a{b}", "\ud83d", "taken", "nul\0", "grün", "x".repeat(10_240)));
    assertThat(outcomes.get(0).decision().remaining()).isEqualTo(99);
    assertThatIllegalArgumentException().isThrownBy(outcomes.get(1)::decision);
    assertThatThrownBy(outcomes.get(2)::decision)
        .isInstanceOf(ScriptRefusedException.class)
        .hasMessageStartingWith("penstock token-bucket: state")
        .hasMessageNotContaining("channel");
    assertThat(outcomes.subList(3, 6)).allMatch(outcome -> outcome.decision().allowed());
    assertThat(keys("penstock:" + prefix + "*"))
        .contains("penstock:" + prefix + ":{a%7Bb%7D}:b100.10.3600000000")
        .contains("penstock:" + prefix + ":{grün}:b100.10.3600000000");
    assertThat(api.tryAcquireAll(Collections.nCopies(50, "same")))
        .extracting(outcome -> outcome.decision().remaining())
        .isSortedAccordingTo(Collections.reverseOrder());
    assertThat(api.tryAcquireAll(List.of())).isEmpty();
  }

  @Test
  @DisplayName(
      "functions, once loaded, answer as the scripts do; before that the failure says what to do")
  void functions() {
    RateLimiterOptions byFunction = options.toBuilder().functions(true).build();
    RedissonClient client = Redisson.create(config(server.url()));
    try (RedissonRateLimiters limiters = RedissonRateLimiters.using(client, byFunction)) {
      RateLimiter api = limiters.limiter("api", HUNDRED);
      server.call("FUNCTION", "FLUSH");
      assertThatThrownBy(() -> api.tryAcquire("u"))
          .isInstanceOf(PenstockException.class)
          .hasMessageContaining("loadFunctions()");
      limiters.loadFunctions();
      limiters.loadFunctions();
      assertThat(api.tryAcquire("u").remaining()).isEqualTo(99);
      assertThat(api.tryAcquireAll(List.of("u", "u"))).allMatch(o -> o.decision().allowed());
      RedissonRateLimiters lagging =
          RedissonRateLimiters.using(client, byFunction.toBuilder().peekOnReplicas(true).build());
      assertThat(lagging.limiter("api", HUNDRED).peek("u").remaining()).isEqualTo(97);
    } finally {
      client.shutdown();
    }
  }

  @Test
  @DisplayName("the application's client stays open; its codec and name mapper change no key")
  void usersClient() throws ReflectiveOperationException {
    Config config = config(server.url()).setCodec(StringCodec.INSTANCE);
    mapNames(config.useSingleServer());
    RedissonClient client = Redisson.create(config);
    try {
      for (boolean functions : List.of(false, true)) {
        try (RedissonRateLimiters limiters =
            RedissonRateLimiters.using(client, options.toBuilder().functions(functions).build())) {
          limiters.loadFunctions();
          RateLimiter api = limiters.limiter("api", HUNDRED);
          assertThat(api.tryAcquire("u").allowed()).isTrue();
          assertThat(api.tryAcquireAll(List.of("v", "w"))).allMatch(o -> o.decision().allowed());
        }
      }
      client.getBucket(prefix + ":still-open").set("yes");
      assertThat(keys("*" + prefix + "*"))
          .containsExactlyInAnyOrder(
              prefix + ":api:{u}:b100.10.3600000000",
              prefix + ":api:{v}:b100.10.3600000000",
              prefix + ":api:{w}:b100.10.3600000000",
              "tenant:" + prefix + ":still-open");
    } finally {
      client.shutdown();
    }
  }

  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @DisplayName("on a client that was shut down every call fails, and waits for no deadline")
  void shutDown() {
    RedissonClient client = Redisson.create(config(server.url()));
    RedissonRateLimiters limiters =
        RedissonRateLimiters.using(
            client, options.toBuilder().deadline(Duration.ofHours(1)).build());
    RateLimiter api = limiters.limiter("api", MANY);
    AsyncRateLimiter async = limiters.asyncLimiter("api", MANY);
    api.tryAcquire("u");
    client.shutdown();
    assertThatThrownBy(() -> api.tryAcquire("u"))
        .isExactlyInstanceOf(NoDecisionException.class)
        .hasMessageContaining("nothing was charged: the client was shut down");
    assertThat(api.tryAcquireAll(List.of("u", "v"))).allMatch(Outcome.Failed.class::isInstance);
    assertThatThrownBy(() -> async.tryAcquire("u").toCompletableFuture().join()).isNotNull();
    assertThat(async.tryAcquireAll(List.of("u", "v")).toCompletableFuture().join())
        .allMatch(Outcome.Failed.class::isInstance);
  }

  @Test
  @DisplayName("scripts run with the time given, by SHA1 and by the read-only command")
  void timedScripts() {
    List<String> arguments = List.of("1", "3", "3", "3000000", "1700000000000000");
    ScriptRunner scripts = new ScriptRunner(shared.port(), options);
    String key = prefix + "timed";
    assertThat(scripts.run(LuaScript.TOKEN_BUCKET, key, arguments))
        .containsExactly(1L, 3L, 2L, 0L, 1_000_000L, 1L);
    List<String> look = List.of("0", "3", "3", "3000000", "1700000000500000");
    assertThat(scripts.runReadOnly(LuaScript.TOKEN_BUCKET, key, look))
        .containsExactly(1L, 3L, 2L, 0L, 500_000L, 1L);
    assertThatThrownBy(() -> scripts.run(LuaScript.TOKEN_BUCKET, key, List.of("nan", "3")))
        .isInstanceOf(ScriptRefusedException.class)
        .hasMessageStartingWith("penstock token-bucket: ");
  }

  @Test
  @DisplayName("when memory is full, a call is refused as not charged")
  void outOfMemory() {
    RateLimiter api = shared.limiter(prefix, HUNDRED);
    server.call("CONFIG", "SET", "maxmemory", "1");
    try {
      assertThatThrownBy(() -> api.tryAcquire("u"))
          .isExactlyInstanceOf(NoDecisionException.class)
          .hasMessageContaining("nothing was charged")
          .hasMessageContaining("maxmemory");
    } finally {
      server.call("CONFIG", "SET", "maxmemory", "0");
    }
    assertThat(api.peek("u").remaining()).isEqualTo(100);
  }

  @Test
  @DisplayName("a wrong URI, a refused port, user, password and database")
  void connecting() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RedissonRateLimiters.connect("http://user:secret@localhost"))
        .withMessageStartingWith("uri must be redis://")
        .withMessageNotContaining("secret");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RedissonRateLimiters.connect("redis://localhost/one"));
    RateLimiterOptions quick = options.toBuilder().deadline(Duration.ofMillis(500)).build();
    try (RedissonRateLimiters limiters =
        RedissonRateLimiters.connect("redis://127.0.0.1:1", quick)) {
      assertThatThrownBy(() -> limiters.limiter("api", HUNDRED).tryAcquire("u"))
          .isExactlyInstanceOf(NoDecisionException.class);
    }
    try (ServerProcess locked = new EmbeddedServer().start()) {
      locked.call("ACL", "SETUSER", "limiter", "on", ">secret", "~*", "+@all");
      locked.call("ACL", "SETUSER", "default", "off");
      String uri = locked.url().toString().replace("//", "//limiter:secret@") + "/3";
      try (RedissonRateLimiters limiters = RedissonRateLimiters.connect(uri, options)) {
        assertThat(limiters.limiter("api", HUNDRED).tryAcquire("u").allowed()).isTrue();
      }
    }
  }

  private static String uri() {
    return server.url().toString();
  }

  /** A client's configuration with everything as Redisson has it unless told. */
  static Config config(RedisUrl server) {
    Config config = new Config();
    config.useSingleServer().setAddress(server.toString()).setConnectionMinimumIdleSize(2);
    return config;
  }

  private static List<String> keys(String pattern) {
    List<?> found = (List<?>) server.call("KEYS", pattern);
    return found.stream().map(String::valueOf).toList();
  }

  /* NameMapper has moved from one package to another, so the test does not name it. */
  private static void mapNames(SingleServerConfig config) throws ReflectiveOperationException {
    Method setter =
        Stream.of(SingleServerConfig.class.getMethods())
            .filter(method -> method.getName().equals("setNameMapper"))
            .findFirst()
            .orElseThrow();
    Class<?> mapper = setter.getParameterTypes()[0];
    InvocationHandler tenant =
        (proxy, method, arguments) ->
            method.getName().equals("map") ? "tenant:" + arguments[0] : arguments[0];
    Class<?>[] types = {mapper};
    setter.invoke(config, Proxy.newProxyInstance(mapper.getClassLoader(), types, tenant));
  }
}
