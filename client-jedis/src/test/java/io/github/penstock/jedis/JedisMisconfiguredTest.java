package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.compat.failure.ErrorVectors;
import io.github.penstock.compat.failure.ErrorVectors.ErrorCase;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.fault.LocalCertificate;
import io.github.penstock.testkit.fault.TlsProxy;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.SentinelGroup;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.time.Duration;
import java.util.stream.Stream;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** What Jedis itself keeps back when it cannot connect: reasons, and a password that it shows. */
class JedisMisconfiguredTest {
  private static final Limit LIMIT = FixedWindow.of(10, Duration.ofHours(1));
  private static final JedisClientConfig PLAIN = DefaultJedisClientConfig.builder().build();
  private static final RateLimiterOptions OPTIONS =
      RateLimiterOptions.builder()
          .deadline(Duration.ofSeconds(30))
          .onUnavailable(OnUnavailable.ALLOW)
          .build();

  static Stream<ErrorCase> cases() {
    return ErrorVectors.cases("jedis");
  }

  @ParameterizedTest
  @MethodSource("cases")
  @DisplayName("a text of errors.json is of its class")
  void classified(ErrorCase given) {
    JedisConnectionException thrown = new JedisConnectionException(given.text());
    assertThat(ErrorCase.found(JedisTransport.failureOf(thrown))).isEqualTo(given.kind());
  }

  @Test
  @DisplayName("a single server is neither a cluster nor a sentinel, and its answer says so")
  void singleServer() {
    try (ServerProcess server = new EmbeddedServer().start()) {
      String address = server.url().host() + ":" + server.url().port();
      refused("redis-cluster://" + address, PLAIN, "cluster support disabled");
      refused("redis-sentinel://" + address + "#penstock", PLAIN, "unknown command 'SENTINEL'");
      server.call("CONFIG", "SET", "requirepass", "right");
      refused("redis-cluster://" + address, PLAIN, "NOAUTH");
    }
  }

  @Test
  @ResourceLock(SharedDeployments.SENTINEL)
  @DisplayName("sentinels that do not know the name say so, even if one of them does not answer")
  void unknownName() {
    SentinelGroup group = SharedDeployments.sentinel();
    String uri = group.endpoint().uri().replace("://", "://127.0.0.1:1,");
    refused(uri.replace("#" + SentinelGroup.MASTER_NAME, "#other"), PLAIN, "No such master");
  }

  @Test
  @DisplayName("a server without AUTH or HELLO echoes the password, which nobody gets to see")
  void echo() {
    try (ServerProcess server =
        new EmbeddedServer()
            .start("--rename-command", "AUTH", "", "--rename-command", "HELLO", "")) {
      DefaultJedisClientConfig.Builder config =
          DefaultJedisClientConfig.builder().user("limiter").password("a/secret");
      String plain = server.url().toString();
      String encoded = plain.replace("//", "//limiter:a%2Fsecret@");
      refused(plain, config.build(), "unknown command 'AUTH'");
      refused(encoded, PLAIN, "unknown command 'AUTH'");
      refused(plain, config.resp3().build(), "unknown command 'HELLO'");
    }
  }

  @Test
  @DisplayName("a certificate of another host, of which Jedis tells by its message alone")
  void anotherHost() {
    JedisClientConfig trusting =
        DefaultJedisClientConfig.builder()
            .sslOptions(SslOptions.builder().sslVerifyMode(SslVerifyMode.INSECURE).build())
            .hostnameVerifier((host, session) -> false)
            .build();
    try (ServerProcess server = new EmbeddedServer().start();
        TlsProxy proxy = TlsProxy.before(server.url(), LocalCertificate.make())) {
      refused(proxy.url().toString(), trusting, "hostname verification");
    }
  }

  private static void refused(String uri, JedisClientConfig config, String words) {
    try (JedisRateLimiters limiters = JedisRateLimiters.connect(uri, config, OPTIONS)) {
      Throwable refusal = catchThrowable(() -> limiters.limiter("api", LIMIT).tryAcquire("u"));
      assertThat(refusal).isInstanceOf(MisconfiguredException.class).hasMessageContaining(words);
      assertThat(Throwables.getStackTrace(refusal)).doesNotContain("secret");
    }
  }
}
