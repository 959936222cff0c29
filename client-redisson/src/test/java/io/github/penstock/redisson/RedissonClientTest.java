package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.fault.LocalCertificate;
import io.github.penstock.testkit.fault.TlsProxy;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEvents;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** The client that the application has at the time, and one that cannot connect. */
class RedissonClientTest {
  private static final Limit LIMIT = FixedWindow.of(1_000_000, Duration.ofHours(1));
  private final RateLimiterOptions options =
      RateLimiterOptions.builder().deadline(Duration.ofSeconds(60)).build();
  private ServerProcess server;

  @BeforeEach
  void start() {
    server = new EmbeddedServer().start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  @DisplayName("a supplier is asked once, and again when the client was shut down and replaced")
  void replaced() {
    AtomicInteger asked = new AtomicInteger();
    AtomicReference<RedissonClient> current = new AtomicReference<>(client());
    try (RedissonRateLimiters limiters =
        RedissonRateLimiters.using(
            () -> {
              asked.incrementAndGet();
              return current.get();
            },
            options)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      for (int i = 1; i <= 100; i++) {
        assertThat(api.tryAcquire("u").remaining()).isEqualTo(1_000_000 - i);
      }
      assertThat(asked).hasValue(1);
      current.get().shutdown();
      current.set(client());
      assertThat(api.tryAcquire("u").remaining()).isEqualTo(1_000_000 - 101);
    }
    assertThat(current.get().isShuttingDown()).isFalse();
    current.get().shutdown();
  }

  @Test
  @DisplayName("TLS to a port that speaks none: calls end as chosen, within the deadline")
  void tlsToPlainPort() {
    RateLimiterOptions allowing =
        options.toBuilder()
            .deadline(Duration.ofMillis(300))
            .onUnavailable(OnUnavailable.ALLOW)
            .build();
    String uri = server.url().toString().replace("redis://", "rediss://");
    try (RedissonRateLimiters limiters = RedissonRateLimiters.connect(uri, allowing)) {
      assertThat(limiters.limiter("api", LIMIT).tryAcquire("u").enforced()).isFalse();
    }
  }

  /* The oldest client has these settings only here. */
  @SuppressWarnings("deprecation")
  @Test
  @DisplayName("a server that wants a certificate and gets none: set up wrong, also later on")
  void certificateDemanded() {
    Config trusting = new Config();
    SingleServerConfig single = trusting.useSingleServer();
    single.setSslTrustManagerFactory(InsecureTrustManagerFactory.INSTANCE);
    single.setConnectionMinimumIdleSize(1);
    single.setRetryAttempts(0);
    single.setTimeout(2_000);
    RateLimiterOptions allowing =
        options.toBuilder()
            .deadline(Duration.ofSeconds(5))
            .onUnavailable(OnUnavailable.ALLOW)
            .build();
    try (TlsProxy proxy = TlsProxy.before(server.url(), LocalCertificate.make())) {
      String uri = proxy.url().toString().replace("redis://", "rediss://");
      try (RedissonRateLimiters before = RedissonRateLimiters.connect(uri, trusting, allowing)) {
        before.awaitConnected(Duration.ofSeconds(60));
        proxy.demandCertificates();
        assertRefused(before);
        try (RedissonRateLimiters after = RedissonRateLimiters.connect(uri, trusting, allowing)) {
          assertRefused(after);
        }
      }
    }
  }

  private static void assertRefused(RedissonRateLimiters limiters) {
    RateLimiter api = limiters.limiter("refused", LIMIT);
    Throwable thrown =
        ServerEvents.await("a call that throws")
            .until(() -> catchThrowable(() -> api.tryAcquire("u")), Objects::nonNull);
    assertThat(thrown)
        .isInstanceOf(MisconfiguredException.class)
        .hasMessageContaining("Received fatal alert");
  }

  @Test
  @DisplayName("the TLS handshake may take as long as connecting, and not Netty's 10 s")
  void handshake() throws Exception {
    SslHandler tls = new SslHandler(SSLContext.getDefault().createSSLEngine());
    new HandshakeTimeout(300).afterChannelInitialization(new EmbeddedChannel(tls));
    assertThat(tls.getHandshakeTimeoutMillis()).isEqualTo(300);
    new HandshakeTimeout(300).afterChannelInitialization(new EmbeddedChannel());
  }

  private RedissonClient client() {
    return Redisson.create(RedissonRateLimitersTest.config(server.url()));
  }
}
