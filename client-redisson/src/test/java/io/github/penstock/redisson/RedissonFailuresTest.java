package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.compat.failure.ErrorVectors;
import io.github.penstock.compat.failure.ErrorVectors.ErrorCase;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.ServerEvents;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.client.RedisException;

/** What only Redisson does where something fails. */
class RedissonFailuresTest {
  private static final Limit LIMIT = FixedWindow.of(100_000, Duration.ofHours(1));
  private static final Duration START = Duration.ofSeconds(30);
  private static final int MANY = 20_000;
  private final RateLimiterOptions patient =
      RateLimiterOptions.builder().deadline(Duration.ofSeconds(10)).build();

  @Test
  @DisplayName("a server with two free connections is enough to begin with, and to go on with")
  void fewConnections() throws Exception {
    try (ServerProcess server = new EmbeddedServer().start("--maxclients", "4");
        RespConnection one = server.connect();
        RespConnection other = server.connect();
        RedissonRateLimiters limiters =
            RedissonRateLimiters.connect(server.url().toString(), patient)) {
      AsyncRateLimiter api = limiters.asyncLimiter("api", LIMIT);
      limiters.awaitConnected(START);
      List<CompletableFuture<Decision>> calls = new ArrayList<>();
      for (int call = 0; call < 100; call++) {
        calls.add(api.tryAcquire("u").toCompletableFuture());
      }
      assertThat(calls).allMatch(call -> call.join().enforced());
      assertThat(one.call("PING")).isEqualTo(other.call("PING"));
    }
  }

  @Test
  @DisplayName("calls that were never sent, as nothing listens, never may have been charged")
  void neverSent() {
    RateLimiterOptions options =
        RateLimiterOptions.builder()
            .deadline(Duration.ofMillis(300))
            .onOverload(OnOverload.THROW)
            .build();
    try (ServerProcess server = new EmbeddedServer().start();
        FaultProxy proxy = FaultProxy.before(server.url());
        RedissonRateLimiters limiters =
            RedissonRateLimiters.connect(proxy.url().toString(), options)) {
      AsyncRateLimiter api = limiters.asyncLimiter("api", LIMIT);
      limiters.awaitConnected(START);
      proxy.set(NetworkFault.REFUSED);
      // A call may be written before the client knows that its connection was cut.
      ServerEvents.await("connections are refused")
          .until(() -> kind(api.tryAcquire("u").toCompletableFuture()) == FailureKind.NOT_SENT);
      List<CompletableFuture<Decision>> calls = new ArrayList<>();
      for (int call = 0; call < MANY; call++) {
        calls.add(api.tryAcquire("u").toCompletableFuture());
      }
      assertThat(calls).extracting(RedissonFailuresTest::kind).containsOnly(FailureKind.NOT_SENT);
    }
  }

  private static FailureKind kind(CompletableFuture<Decision> call) {
    CompletionException thrown = (CompletionException) catchThrowable(call::join);
    return ((PenstockException) thrown.getCause()).kind();
  }

  static Stream<ErrorCase> cases() {
    return ErrorVectors.cases("redisson");
  }

  @ParameterizedTest
  @MethodSource("cases")
  @DisplayName("a text of errors.json is of its class")
  void classified(ErrorCase given) {
    String text = given.text() + ". channel: [id: 0x1, L:/127.0.0.1:1 - R:127.0.0.1/127.0.0.1:2]";
    assertThat(ErrorCase.found(RedissonFailures.of(new RedisException(text))))
        .isEqualTo(given.kind());
  }

  @Test
  @DisplayName("a master that the sentinels do not know is set up wrong, whatever an outage does")
  void unknownMaster() {
    ServerEndpoint.Sentinel known =
        (ServerEndpoint.Sentinel) SharedDeployments.sentinel().endpoint();
    String uri = "redis-sentinel://127.0.0.1:" + known.sentinels().get(0).port() + "#unknown";
    try (RedissonRateLimiters limiters =
        RedissonRateLimiters.connect(
            uri, patient.toBuilder().onUnavailable(OnUnavailable.ALLOW).build())) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      assertThatThrownBy(() -> api.tryAcquire("u"))
          .isInstanceOf(MisconfiguredException.class)
          .hasMessageContaining("Master node is undefined!");
    }
  }
}
