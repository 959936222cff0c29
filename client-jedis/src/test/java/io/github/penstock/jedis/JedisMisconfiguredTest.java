package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.compat.failure.ErrorVectors;
import io.github.penstock.compat.failure.ErrorVectors.ErrorCase;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.LocalCertificate;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.SentinelGroup;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** What Jedis itself keeps back when it cannot connect: reasons, and a password that it shows. */
class JedisMisconfiguredTest {
  private static final Limit LIMIT = FixedWindow.of(10, Duration.ofHours(1));
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
  @ResourceLock(SharedDeployments.SENTINEL)
  @DisplayName("sentinels that do not know the name say so, even if one of them does not answer")
  void unknownName() {
    SentinelGroup group = SharedDeployments.sentinel();
    String uri = group.endpoint().uri().replace("://", "://127.0.0.1:1,");
    refused(uri.replace("#" + SentinelGroup.MASTER_NAME, "#other"), "No such master");
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
        FaultProxy proxy = FaultProxy.before(server.url(), LocalCertificate.make());
        RedisClient client =
            RedisClient.builder()
                .hostAndPort(proxy.url().host(), proxy.url().port())
                .clientConfig(trusting)
                .build()) {
      refused(JedisRateLimiters.using(client, OPTIONS), "hostname verification");
    }
  }

  @Test
  @DisplayName("credentials that cannot be had, and a port that is none, are not understood")
  void mistakes() {
    try (ServerProcess server = new EmbeddedServer().start()) {
      DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder();
      notUnderstood(70_000, config, "port out of range");
      Supplier<RedisCredentials> none =
          () -> {
            throw new IllegalStateException("no token");
          };
      notUnderstood(server.url().port(), config.credentialsProvider(none), "no token");
    }
  }

  private static void notUnderstood(
      int port, DefaultJedisClientConfig.Builder config, String words) {
    RateLimiterOptions options = OPTIONS.toBuilder().deadline(Duration.ofSeconds(2)).build();
    try (RedisClient client =
            RedisClient.builder()
                .hostAndPort("127.0.0.1", port)
                .clientConfig(config.build())
                .build();
        JedisRateLimiters limiters = JedisRateLimiters.using(client, options)) {
      assertThat(catchThrowable(() -> limiters.limiter("api", LIMIT).tryAcquire("u")))
          .isExactlyInstanceOf(PenstockException.class)
          .hasMessageContaining("not understood: ")
          .hasMessageContaining(words);
    }
  }

  @Test
  @DisplayName("a trust store that is PEM")
  void trustStore(@TempDir Path folder) throws IOException {
    Path pem = Files.writeString(folder.resolve("ca.pem"), "-----BEGIN CERTIFICATE-----");
    JedisClientConfig config =
        DefaultJedisClientConfig.builder()
            .sslOptions(SslOptions.builder().truststore(pem.toFile(), "x".toCharArray()).build())
            .build();
    try (ServerProcess server = new EmbeddedServer().start();
        RedisClient client =
            RedisClient.builder()
                .hostAndPort(server.url().host(), server.url().port())
                .clientConfig(config)
                .build()) {
      refused(JedisRateLimiters.using(client, OPTIONS), "Failed to create socket");
    }
  }

  private static void refused(String uri, String words) {
    try (JedisRateLimiters limiters = JedisRateLimiters.connect(uri, OPTIONS)) {
      refused(limiters, words);
    }
  }

  private static void refused(JedisRateLimiters limiters, String words) {
    Throwable refusal = catchThrowable(() -> limiters.limiter("api", LIMIT).tryAcquire("u"));
    assertThat(refusal).isInstanceOf(MisconfiguredException.class).hasMessageContaining(words);
    assertThat(Throwables.getStackTrace(refusal)).doesNotContain("secret");
  }
}
