package io.github.penstock.glide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glide.api.GlideClient;
import glide.api.GlideClusterClient;
import glide.api.models.configuration.GlideClientConfiguration;
import glide.api.models.configuration.GlideClusterClientConfiguration;
import glide.api.models.configuration.NodeAddress;
import io.github.penstock.compat.suite.GivenClients;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEvents;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@GlidePlatform
class GlideRateLimitersTest {
  private static final Limit HUNDRED = TokenBucket.of(100).refill(10, Duration.ofHours(1));
  private static final Limit MANY = FixedWindow.of(100_000, Duration.ofHours(1));
  /* The deadline is longer than any machine needs, where it is not what is tested. */
  private static final RateLimiterOptions PATIENT =
      RateLimiterOptions.builder().deadline(Duration.ofSeconds(30)).build();
  @AutoClose private static final ServerProcess server = new EmbeddedServer().start();
  private final String prefix = UUID.randomUUID().toString();
  private final RateLimiterOptions options = PATIENT.toBuilder().prefix(prefix).build();

  @BeforeAll
  static void silence() {
    GlideVersion.silenceLog();
  }

  @Test
  @DisplayName("the application's client stays open; calls, batches and functions go through it")
  void usersClient() throws Exception {
    try (GlideClient client = client(server)) {
      for (boolean functions : List.of(false, true)) {
        try (GlideRateLimiters limiters =
            GlideRateLimiters.using(client, options.toBuilder().functions(functions).build())) {
          limiters.loadFunctions();
          RateLimiter api = limiters.limiter("api", HUNDRED);
          assertThat(api.tryAcquire("u").allowed()).isTrue();
          assertThat(api.tryAcquireAll(List.of("v", "w"))).allMatch(o -> o.decision().allowed());
        }
      }
      client.set(prefix + ":still-open", "yes").join();
      assertThat((List<?>) server.call("KEYS", prefix + "*")).hasSize(4);
    }
  }

  @Test
  @DisplayName(
      "the largest batch stays within the client's own bound on requests, after NOSCRIPT too")
  void largestBatch() throws Exception {
    try (GlideClient client = client(server);
        GlideRateLimiters limiters = GlideRateLimiters.using(client, options)) {
      AsyncRateLimiter api = limiters.asyncLimiter("api", MANY);
      server.call("SCRIPT", "FLUSH");
      assertThat(api.tryAcquireAll(Collections.nCopies(10_000, "u")).toCompletableFuture().join())
          .allMatch(outcome -> outcome.decision().allowed());
      assertThat(api.peek("u").toCompletableFuture().join().remaining()).isEqualTo(90_000);
    }
  }

  @Test
  @DisplayName(
      "of calls under way when it is closed, those without a result say that it was closed")
  void closing() throws InterruptedException {
    int undecided = 0;
    for (int round = 0; undecided == 0; round++) {
      assertThat(round).as("rounds that found none").isLessThan(300);
      GlideRateLimiters limiters = GlideRateLimiters.connect(server.url().toString(), options);
      limiters.awaitConnected(Duration.ofSeconds(30));
      AsyncRateLimiter api = limiters.asyncLimiter("closing", MANY);
      Queue<CompletableFuture<?>> calls = new ConcurrentLinkedQueue<>();
      CountDownLatch underWay = new CountDownLatch(100);
      CompletableFuture<Void> calling =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 10_000; i++) {
                  calls.add(api.tryAcquire("u" + i).toCompletableFuture());
                  underWay.countDown();
                }
              });
      underWay.await();
      limiters.close();
      assertThatThrownBy(calling::join)
          .hasRootCauseInstanceOf(IllegalStateException.class)
          .hasRootCauseMessage("policy closing: its limiters are closed");
      for (CompletableFuture<?> call : calls) {
        try {
          call.join();
        } catch (CompletionException e) {
          undecided++;
          assertThat(e.getCause())
              .isInstanceOf(NoDecisionException.class)
              .hasMessageContaining("closed");
        }
      }
    }
  }

  @Test
  @DisplayName("a client of a cluster is refused, and so are a cluster's URI and Sentinel's")
  void clusters() throws Exception {
    int port = SharedDeployments.cluster().masters().get(0).url().port();
    try (GlideClusterClient client =
        GlideClusterClient.createClient(
                GlideClusterClientConfiguration.builder().address(address(port)).build())
            .join()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> GlideRateLimiters.using(client, options))
          .withMessageStartingWith("client must be a GlideClient, of a single server");
      try (GlideRateLimiters limiters =
          GlideRateLimiters.using(
              () -> client, options.toBuilder().onUnavailable(OnUnavailable.ALLOW).build())) {
        RateLimiter api = limiters.limiter("api", HUNDRED);
        assertThatThrownBy(() -> api.tryAcquire("u"))
            .isExactlyInstanceOf(MisconfiguredException.class)
            .hasMessageContaining("client must be a GlideClient");
      }
    }
    for (String uri : List.of("redis-cluster://localhost", "redis-sentinel://localhost#m")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> GlideRateLimiters.connect(uri, options))
          .withMessageStartingWith("uri must be redis:// or rediss://, of a single server");
    }
  }

  @Test
  @DisplayName("a supplier is asked once, and again when the client was closed and replaced")
  void replaced() throws Exception {
    try (GlideClient last =
        GivenClients.<GlideClient>replaced(
            () -> client(server), OwnGlideClient::close, GlideRateLimiters::using)) {
      assertThat(last.ping().join()).isEqualTo("PONG");
    }
  }

  @Test
  @DisplayName("on a client that was closed every call fails, and waits for no deadline")
  void closed() {
    GlideClient client = client(server);
    GivenClients.closed(
        given -> GlideRateLimiters.using(client, given),
        () -> OwnGlideClient.close(client),
        "the client that was passed in is closed");
  }

  @Test
  @DisplayName("the application's client connects again by itself, and decides again")
  void restarted() throws Exception {
    try (ServerProcess own = new EmbeddedServer().start();
        GlideClient client = client(own)) {
      RateLimiter api =
          GlideRateLimiters.using(
                  client,
                  options.toBuilder()
                      .deadline(Duration.ofSeconds(1))
                      .onUnavailable(OnUnavailable.DENY)
                      .build())
              .limiter("api", MANY);
      ServerEvents.await("a decision").until(() -> api.tryAcquire("u").enforced());
      own.kill();
      assertThat(api.tryAcquire("u").source()).isEqualTo(DecisionSource.UNAVAILABLE);
      own.restart();
      ServerEvents.await("a decision").until(() -> api.tryAcquire("u").enforced());
    }
  }

  /** A client with GLIDE's own settings, but that of a machine that stalls. */
  static GlideClient client(ServerProcess server) {
    return GlideClient.createClient(
            GlideClientConfiguration.builder()
                .address(address(server.url().port()))
                .requestTimeout(5_000)
                .build())
        .join();
  }

  private static NodeAddress address(int port) {
    return NodeAddress.builder().host("127.0.0.1").port(port).build();
  }
}
