package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.suite.GivenClients;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

class RedissonRateLimitersTest {
  private static final Limit HUNDRED = TokenBucket.of(100).refill(10, Duration.ofHours(1));
  private static final Limit MANY = FixedWindow.of(100_000, Duration.ofHours(1));
  /* The deadline is longer than any machine needs, where it is not what is tested. */
  private static final RateLimiterOptions PATIENT =
      RateLimiterOptions.builder().deadline(Duration.ofSeconds(30)).build();
  @AutoClose private static final ServerProcess server = new EmbeddedServer().start();

  private final String prefix = UUID.randomUUID().toString();
  private final RateLimiterOptions options = PATIENT.toBuilder().prefix(prefix).build();

  @Test
  @DisplayName("a flush is healed on a client that keeps a cache of scripts itself")
  void scriptFlushWithCache() {
    Config config = config(server.url()).setUseScriptCache(true);
    RedissonClient client = Redisson.create(config);
    try (RedissonRateLimiters limiters = RedissonRateLimiters.using(client, PATIENT)) {
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
  @DisplayName("on a client that was shut down every call fails, and waits for no deadline")
  void shutDown() {
    RedissonClient client = Redisson.create(config(server.url()));
    GivenClients.closed(
        given -> RedissonRateLimiters.using(client, given),
        client::shutdown,
        "the client that was passed in was shut down");
  }

  /** A client's configuration with Redisson's own defaults. */
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
