package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEvents;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LettuceFaultTest {
  private static final Limit LIMIT = FixedWindow.of(1_000_000, Duration.ofHours(1));
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  /* Longer than any machine needs: what ends a call is the fault, or nothing but the test. */
  private final RateLimiterOptions options =
      RateLimiterOptions.builder().deadline(PATIENCE).build();
  @AutoClose private final ServerProcess server = new EmbeddedServer().start();
  @AutoClose private final FaultProxy proxy = FaultProxy.before(server.url());

  static Stream<ClientOptions> userOptions() {
    ClientOptions.Builder rejecting =
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS);
    return Stream.of(
        ClientOptions.create(),
        rejecting.build(),
        ClientOptions.builder().autoReconnect(false).build());
  }

  @ParameterizedTest
  @MethodSource("userOptions")
  @DisplayName(
      "the same on the application's connection, whatever its options, and however often it is cut")
  void cutOfUsersConnection(ClientOptions userOptions) {
    RedisClient client = RedisClient.create(uri(proxy.url()));
    client.setOptions(userOptions);
    try (StatefulRedisConnection<String, String> connection = client.connect();
        LettuceRateLimiters limiters = LettuceRateLimiters.using(connection, options)) {
      cut(limiters.limiter("api", LIMIT));
      if (userOptions.isAutoReconnect()) {
        ServerEvents.await("a new connection").until(connection::isOpen);
        assertThat(connection.sync().ping()).isEqualTo("PONG");
      }
      assertThat(charges("u")).isEqualTo(1);
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("a batch whose connection is cut is charged once, and each call says so")
  void cutBatch() throws Exception {
    RedisClient client = RedisClient.create(uri(proxy.url()));
    try (StatefulRedisConnection<String, String> connection = client.connect();
        LettuceRateLimiters limiters = LettuceRateLimiters.using(connection, options)) {
      AsyncRateLimiter api = limiters.asyncLimiter("api", LIMIT);
      api.tryAcquire("loaded").toCompletableFuture().get();
      proxy.set(NetworkFault.REPLY_DROPPED);
      List<String> subjects = List.of("a", "b", "c");
      CompletableFuture<List<Outcome>> batch = api.tryAcquireAll(subjects).toCompletableFuture();
      ServerEvents.await("that all are charged")
          .until(() -> subjects.stream().allMatch(subject -> charges(subject) == 1));
      assertThat(batch).isNotDone();
      proxy.set(NetworkFault.NONE);
      for (Outcome outcome : batch.get()) {
        assertThatThrownBy(outcome::decision).isInstanceOf(MayHaveBeenChargedException.class);
      }
      awaitCharge(limiters, "other");
      assertThat(subjects).allMatch(subject -> charges(subject) == 1);
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  @LoadTest
  @Test
  @DisplayName("the same on the application's connection with Lettuce's default options")
  void serverDownUnderUsersConnection() throws Exception {
    RateLimiterOptions quick = options.toBuilder().deadline(Duration.ofSeconds(1)).build();
    RedisClient client = RedisClient.create(uri(server.url()));
    try (StatefulRedisConnection<String, String> connection = client.connect();
        LettuceRateLimiters limiters = LettuceRateLimiters.using(connection, quick)) {
      failsWhileDown(limiters);
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  @LoadTest
  @Test
  @DisplayName(
      "more calls than the backlog holds while the server is stopped wait, and are decided")
  void backPressure() throws Exception {
    try (LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri(server.url()), options)) {
      AsyncRateLimiter api = limiters.asyncLimiter("api", LIMIT);
      api.tryAcquire("u").toCompletableFuture().get();
      server.freeze();
      List<CompletableFuture<Decision>> calls = calls(api, 30_000);
      assertThat(calls).noneMatch(CompletableFuture::isDone);
      server.thaw();
      assertThat(calls).allMatch(call -> failure(call) == null);
      assertThat(charges("u")).isEqualTo(30_001);
    }
  }

  /* Every connection is cut until the call has failed, so that each repetition would be charged. */
  private void cut(RateLimiter api) {
    api.tryAcquire("loaded");
    // Otherwise the check, which takes the same connection, may be what is cut.
    ServerEvents.await("the first check").until(this::isChecked);
    proxy.set(NetworkFault.CUT);
    assertThatThrownBy(() -> api.tryAcquire("u")).isInstanceOf(MayHaveBeenChargedException.class);
    assertThat(proxy.faulted()).isEqualTo(1);
    proxy.set(NetworkFault.NONE);
  }

  private void failsWhileDown(LettuceRateLimiters limiters) throws Exception {
    AsyncRateLimiter api = limiters.asyncLimiter("api", LIMIT);
    awaitCharge(limiters, "x");
    server.kill();
    ServerEvents.await("a call that was not sent").until(() -> isNotSent(api));
    assertThat(calls(api, 10_000))
        .allMatch(call -> failure(call).getClass() == NoDecisionException.class);
    server.restart();
    awaitCharge(limiters, "y");
    assertThat(charges("u")).isZero();
    assertThat(charges("x")).isZero();
  }

  /* A call that Lettuce has taken before it sees that the server is gone may have been charged. */
  private static boolean isNotSent(AsyncRateLimiter api) {
    Throwable failure = failure(api.tryAcquire("x").toCompletableFuture());
    return failure != null && failure.getClass() == NoDecisionException.class;
  }

  private static List<CompletableFuture<Decision>> calls(AsyncRateLimiter api, int count) {
    List<CompletableFuture<Decision>> calls = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      calls.add(api.tryAcquire("u").toCompletableFuture());
    }
    return calls;
  }

  private static Throwable failure(CompletableFuture<Decision> call) {
    Throwable thrown = catchThrowable(() -> call.get(2, TimeUnit.MINUTES));
    return thrown == null ? null : thrown.getCause();
  }

  /* Once a call is answered, whatever Lettuce had kept for a new connection was sent before it. */
  private static void awaitCharge(LettuceRateLimiters limiters, String subject) {
    AsyncRateLimiter api = limiters.asyncLimiter("api", LIMIT);
    ServerEvents.await("a decision of the server")
        .until(
            () -> {
              CompletableFuture<Decision> call = api.tryAcquire(subject).toCompletableFuture();
              return failure(call) == null && call.join().enforced();
            });
  }

  /* Another one than that of the only call. */
  private boolean isChecked() {
    try (RespConnection direct = RespConnection.open(server.url(), PATIENCE)) {
      String commands = String.valueOf(direct.call("INFO", "commandstats"));
      return Pattern.compile("evalsha:calls=[2-9]").matcher(commands).find();
    }
  }

  private long charges(String subject) {
    try (LettuceRateLimiters direct = LettuceRateLimiters.connect(uri(server.url()), options)) {
      Usage usage = direct.limiter("api", LIMIT).peek(subject);
      return usage.limit() - usage.remaining();
    }
  }

  private static String uri(RedisUrl url) {
    return url.toString();
  }
}
