package io.github.penstock.glide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glide.api.GlideClient;
import glide.api.models.configuration.AdvancedGlideClientConfiguration;
import glide.api.models.configuration.GlideClientConfiguration;
import glide.api.models.configuration.NodeAddress;
import glide.api.models.configuration.TlsAdvancedConfiguration;
import glide.api.models.exceptions.GlideException;
import glide.api.models.exceptions.RequestException;
import io.github.penstock.compat.failure.ErrorVectors;
import io.github.penstock.compat.failure.ErrorVectors.ErrorCase;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.LocalCertificate;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What only GLIDE does where something fails. */
@GlidePlatform
class GlideFailuresTest {
  private static final Limit LIMIT = FixedWindow.of(100_000, Duration.ofHours(1));
  private static final int IN_FLIGHT = 10;
  private static final int MANY = 2_000;
  private final RateLimiterOptions options =
      RateLimiterOptions.builder()
          .deadline(Duration.ofMinutes(1))
          .onUnavailable(OnUnavailable.ALLOW)
          .build();

  @BeforeAll
  static void silence() {
    GlideVersion.silenceLog();
  }

  static Stream<ErrorCase> cases() {
    return ErrorVectors.cases("glide");
  }

  @ParameterizedTest
  @MethodSource("cases")
  @DisplayName("a text of errors.json is of its class")
  void classified(ErrorCase given) {
    assertThat(ErrorCase.found(GlideFailures.of(new RequestException(given.text()))))
        .isEqualTo(given.kind());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "LOADING", "no known words", "Standalone connect failed"})
  @DisplayName("what is not understood is no outage")
  void unknown(String text) {
    assertThat(ErrorCase.found(GlideFailures.of(new RequestException(text))))
        .isEqualTo(FailureKind.UNKNOWN);
  }

  @Test
  @DisplayName("a client whose inflight requests are full is overloaded, and opens no limit")
  void fullClient() throws Exception {
    try (ServerProcess server = new EmbeddedServer().start();
        GlideClient client =
            GlideClient.createClient(
                    GlideClientConfiguration.builder()
                        .address(address(server.url().port()))
                        .requestTimeout(60_000)
                        .inflightRequestsLimit(IN_FLIGHT)
                        .build())
                .join()) {
      AsyncRateLimiter api = GlideRateLimiters.using(client, options).asyncLimiter("api", LIMIT);
      api.tryAcquire("u").toCompletableFuture().join();
      List<CompletableFuture<Decision>> calls =
          IntStream.range(0, MANY)
              .mapToObj(i -> api.tryAcquire("u" + i).toCompletableFuture())
              .toList();
      List<Decision> decisions = calls.stream().map(CompletableFuture::join).toList();
      assertThat(decisions)
          .allMatch(
              decision ->
                  decision.enforced()
                      || decision.source() == DecisionSource.OVERLOADED && !decision.allowed());
      long charged = decisions.stream().filter(Decision::enforced).count();
      assertThat(server.call("DBSIZE")).isEqualTo(1 + charged);
    }
  }

  @Test
  @DisplayName("TLS: a certificate that GLIDE does not trust throws; a client that does decides")
  void certificates(@TempDir Path directory) throws Exception {
    LocalCertificate certificate = LocalCertificate.make();
    byte[] roots = Files.readAllBytes(certificate.writePem(directory));
    try (ServerProcess server = new EmbeddedServer().start();
        FaultProxy proxy = FaultProxy.before(server.url(), certificate)) {
      int port = proxy.url().port();
      try (GlideRateLimiters limiters =
          GlideRateLimiters.connect("rediss://localhost:" + port, options)) {
        RateLimiter api = limiters.limiter("api", LIMIT);
        assertThatThrownBy(() -> api.tryAcquire("u"))
            .isExactlyInstanceOf(MisconfiguredException.class)
            .hasMessageContaining("invalid peer certificate");
      }
      try (GlideClient trusting =
          GlideClient.createClient(
                  GlideClientConfiguration.builder()
                      .address(NodeAddress.builder().host("localhost").port(port).build())
                      .useTLS(true)
                      .requestTimeout(60_000)
                      .advancedConfiguration(
                          AdvancedGlideClientConfiguration.builder()
                              .tlsAdvancedConfiguration(
                                  TlsAdvancedConfiguration.builder()
                                      .rootCertificates(roots)
                                      .build())
                              .build())
                      .build())
              .join()) {
        RateLimiter api = GlideRateLimiters.using(trusting, options).limiter("api", LIMIT);
        assertThat(api.tryAcquire("u").enforced()).isTrue();
      }
    }
  }

  @Test
  @DisplayName("a client whose successor cannot be made is closed in the end, and connects no more")
  void closedInAnOutage() {
    try (ServerProcess server = new EmbeddedServer().start()) {
      OwnGlideClient own =
          new OwnGlideClient(
              millis ->
                  GlideClientConfiguration.builder()
                      .address(address(server.url().port()))
                      .lazyConnect(true)
                      .requestTimeout(500)
                      .build(),
              Duration.ofMillis(500),
              10_000,
              null);
      ScriptTransport first = own.get().transport();
      server.kill();
      assertThatThrownBy(own::get).isInstanceOf(GlideException.class);
      own.close();
      assertThatThrownBy(() -> first.loadFunctions("library").toCompletableFuture().join())
          .hasMessageContaining("Client closed");
    }
  }

  private static NodeAddress address(int port) {
    return NodeAddress.builder().host("127.0.0.1").port(port).build();
  }
}
