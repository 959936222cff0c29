package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.compat.load.DeadlineWatch;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.Redisson;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** A client as Redisson makes it, with its four retries, and replies that do not come in time. */
@LoadTest
class RedissonRetryTest {
  private static final Duration DEADLINE = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int CLIENT_MILLIS = 300;
  private static final Limit LIMIT = FixedWindow.of(1_000, Duration.ofHours(1));
  @AutoClose private static final ServerProcess server = new EmbeddedServer().start();
  private RateLimiterOptions options;
  @AutoClose private final FaultProxy proxy = FaultProxy.before(server.url());

  @AutoClose("shutdown")
  private RedissonClient client;

  private RateLimiter api;
  private AsyncRateLimiter patient;
  private RateLimiter beside;
  @AutoClose private RedissonRateLimiters direct;
  @AutoClose private DeadlineWatch watch;

  static Stream<NetworkFault> faults() {
    return Stream.of(NetworkFault.REPLY_HELD, NetworkFault.REPLY_DROPPED, NetworkFault.CUT);
  }

  static Stream<NetworkFault> faultsOfReplies() {
    return Stream.of(NetworkFault.REPLY_HELD, NetworkFault.REPLY_DROPPED);
  }

  @BeforeEach
  void connect() {
    options =
        RateLimiterOptions.builder()
            .prefix(UUID.randomUUID().toString())
            .deadline(DEADLINE)
            .build();
    Config config = RedissonRateLimitersTest.config(proxy.url());
    config.useSingleServer().setTimeout(CLIENT_MILLIS);
    client = Redisson.create(config);
    api = RedissonRateLimiters.using(client, options).limiter("api", LIMIT);
    RateLimiterOptions longer = options.toBuilder().deadline(PATIENCE).build();
    patient = RedissonRateLimiters.using(client, longer).asyncLimiter("api", LIMIT);
    direct = RedissonRateLimiters.connect(server.url().toString(), longer);
    beside = direct.limiter("api", LIMIT);
    assertThat(patient.tryAcquire("u").toCompletableFuture().join().remaining()).isEqualTo(999);
    count("loaded").toCompletableFuture().join();
    watch = DeadlineWatch.over(DEADLINE);
  }

  @ParameterizedTest
  @MethodSource("faults")
  @DisplayName("one call is charged once, and its caller hears in time that it may have been")
  void call(NetworkFault fault) {
    proxy.set(fault);
    Throwable told = catchThrowable(() -> watch.timed(() -> api.tryAcquire("u")));
    while (neverSent(told)) {
      told = catchThrowable(() -> watch.timed(() -> api.tryAcquire("u")));
    }
    assertThat(told)
        .isInstanceOf(MayHaveBeenChargedException.class)
        .hasMessageContaining("may have been charged");
    watch.check();
    awaitRetry();
    recovers();
    assertThat(beside.peek("u").remaining()).isEqualTo(998);
  }

  @ParameterizedTest
  @MethodSource("faultsOfReplies")
  @DisplayName("so is every call of a batch")
  void batch(NetworkFault fault) throws Exception {
    proxy.set(fault);
    Callable<List<Outcome>> hundred = () -> api.tryAcquireAll(Collections.nCopies(100, "u"));
    List<Outcome> outcomes = watch.timed(hundred);
    while (neverSent(outcomes)) {
      outcomes = watch.timed(hundred);
    }
    watch.check();
    assertMayHaveBeenCharged(outcomes);
    awaitRetry();
    recovers();
    assertThat(beside.peek("u").remaining()).isEqualTo(899);
  }

  @Test
  @DisplayName("so is every call of a batch whose connection is cut")
  void cutBatch() {
    // Redisson tells nobody of a batch whose connection is gone: it ends with its deadline.
    RateLimiterOptions twoSeconds = options.toBuilder().deadline(Duration.ofSeconds(2)).build();
    AsyncRateLimiter async =
        RedissonRateLimiters.using(client, twoSeconds).asyncLimiter("api", LIMIT);
    proxy.set(NetworkFault.REPLY_DROPPED);
    Supplier<CompletableFuture<List<Outcome>>> hundred =
        () -> async.tryAcquireAll(Collections.nCopies(100, "u")).toCompletableFuture();
    AtomicReference<CompletableFuture<List<Outcome>>> outcomes =
        new AtomicReference<>(hundred.get());
    ServerEvents.await("that all are charged")
        .until(
            () -> {
              if (outcomes.get().isDone() && neverSent(outcomes.get().join())) {
                outcomes.set(hundred.get());
              }
              return beside.peek("u").remaining() == 899;
            });
    proxy.set(NetworkFault.NONE);
    proxy.set(NetworkFault.CUT);
    assertMayHaveBeenCharged(outcomes.get().join());
    awaitRetry();
    recovers();
    assertThat(beside.peek("u").remaining()).isEqualTo(899);
  }

  @Test
  @DisplayName(
      "the deadline holds, and not the client's own shorter time-out, after which it retries")
  void patient() {
    proxy.set(NetworkFault.REPLY_HELD);
    CompletableFuture<Decision> call = patient.tryAcquire("u").toCompletableFuture();
    awaitRetry();
    assertThat(call).isNotDone();
    proxy.set(NetworkFault.NONE);
    assertThat(call.join().remaining()).isEqualTo(998);
    proxy.set(NetworkFault.REPLY_HELD);
    CompletableFuture<List<Outcome>> batch =
        patient.tryAcquireAll(Collections.nCopies(100, "u")).toCompletableFuture();
    awaitRetry();
    assertThat(batch).isNotDone();
    proxy.set(NetworkFault.NONE);
    assertThat(batch.join())
        .extracting(outcome -> outcome.decision().remaining())
        .contains(997L, 898L);
    assertThat(beside.peek("u").remaining()).isEqualTo(898);
  }

  /* A machine that stood still until the deadline had no time to send, and nothing was charged. */
  private static boolean neverSent(Throwable told) {
    return told instanceof NoDecisionException && !(told instanceof MayHaveBeenChargedException);
  }

  private static boolean neverSent(List<Outcome> outcomes) {
    return outcomes.stream().allMatch(one -> neverSent(catchThrowable(one::decision)));
  }

  private static void assertMayHaveBeenCharged(List<Outcome> outcomes) {
    assertThat(outcomes).hasSize(100);
    for (Outcome outcome : outcomes) {
      assertThatThrownBy(outcome::decision).isInstanceOf(MayHaveBeenChargedException.class);
    }
  }

  /*
   * Waits until Redisson has repeated a script of the test's own, which meets the same fault, was
   * sent later and has all of the client's retries: by then it would have repeated a call of ours.
   */
  private void awaitRetry() {
    String counter = UUID.randomUUID().toString();
    count(counter);
    ServerEvents.await("Redisson's second attempt")
        .until(() -> !List.of("null", "1").contains(String.valueOf(server.call("GET", counter))));
  }

  private CompletionStage<Object> count(String counter) {
    return client
        .getScript(StringCodec.INSTANCE)
        .evalAsync(
            RScript.Mode.READ_WRITE,
            "return redis.call('incr', KEYS[1])",
            RScript.ReturnType.VALUE,
            List.of(counter));
  }

  private void recovers() {
    proxy.set(NetworkFault.NONE);
    ServerEvents.await("an answer")
        .until(() -> catchThrowable(() -> api.tryAcquire("after")) == null);
  }
}
