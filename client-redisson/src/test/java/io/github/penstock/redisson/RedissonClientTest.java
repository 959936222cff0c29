package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.suite.GivenClients;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.connecting.ServerUri;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.LocalCertificate;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEvents;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.SentinelServersConfig;

/** The client that the application has at the time, and one that cannot connect. */
class RedissonClientTest {
  private static final Limit LIMIT = FixedWindow.of(1_000_000, Duration.ofHours(1));
  private final RateLimiterOptions options =
      RateLimiterOptions.builder().deadline(Duration.ofSeconds(60)).build();
  @AutoClose private final ServerProcess server = new EmbeddedServer().start();

  @Test
  @DisplayName("a supplier is asked once, and again when the client was shut down and replaced")
  void replaced() {
    RedissonClient last =
        GivenClients.<RedissonClient>replaced(
            this::client, RedissonClient::shutdown, RedissonRateLimiters::using);
    assertThat(last.isShuttingDown()).isFalse();
    last.shutdown();
  }

  @Test
  @DisplayName("a server that wants a certificate and gets none: set up wrong, also later on")
  void certificateDemanded() {
    RateLimiterOptions allowing =
        options.toBuilder()
            .deadline(Duration.ofSeconds(5))
            .onUnavailable(OnUnavailable.ALLOW)
            .build();
    try (FaultProxy proxy = FaultProxy.before(server.url(), LocalCertificate.make())) {
      String uri = proxy.url().toString().replace("redis://", "rediss://");
      try (RedissonRateLimiters before = trusting(uri, allowing)) {
        before.awaitConnected(Duration.ofSeconds(60));
        proxy.demandCertificates();
        assertRefused(before);
        try (RedissonRateLimiters after = trusting(uri, allowing)) {
          assertRefused(after);
        }
      }
    }
  }

  @Test
  @DisplayName("one sentinel is enough, as with the other clients")
  void oneSentinel() {
    ServerUri uri = ServerUri.parse("redis-sentinel://a#m");
    SentinelServersConfig made = UriConfiguration.bounded(uri, options).useSentinelServers();
    assertThat(made.isCheckSentinelsList()).isFalse();
    assertThat(made.getMasterName()).isEqualTo("m");
  }

  /* The oldest client has this setting only here. */
  @SuppressWarnings("deprecation")
  private static RedissonRateLimiters trusting(String uri, RateLimiterOptions options) {
    Config config = UriConfiguration.bounded(ServerUri.parse(uri), options);
    config.useSingleServer().setSslTrustManagerFactory(InsecureTrustManagerFactory.INSTANCE);
    return RedissonRateLimiters.connect(config, uri, options);
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

  @LoadTest
  @Test
  @DisplayName("the TLS handshake may take as long as connecting, and not Netty's 10 s")
  void handshake() throws Exception {
    SslHandler tls = new SslHandler(SSLContext.getDefault().createSSLEngine());
    TlsRefusals hook = new TlsRefusals(Duration.ofMillis(300));
    hook.afterChannelInitialization(new EmbeddedChannel(tls));
    assertThat(tls.getHandshakeTimeoutMillis()).isEqualTo(300);
    hook.afterChannelInitialization(new EmbeddedChannel());
  }

  private RedissonClient client() {
    return Redisson.create(RedissonRateLimitersTest.config(server.url()));
  }
}
