package io.github.penstock.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.time.EagerTime;
import io.github.penstock.core.spi.time.SteppedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every call ends, whatever transports, listeners and dependents do. */
class AsyncCallTest {
  private static final Limit LIMIT = FixedWindow.of(5, Duration.ofSeconds(1));
  private static final List<Long> ALLOWED = List.of(1L, 5L, 4L, 0L, 1_000_000L, 1L);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private final SteppedTime time = new SteppedTime();
  private final EagerTime eager = new EagerTime();
  private final RateLimiterOptions options = RateLimiterOptions.builder().deadline(MINUTE).build();

  /** A transport whose every call goes to a function. */
  private record FunctionTransport(Function<ScriptCall, CompletionStage<Object>> sending)
      implements ScriptTransport {
    @Override
    public CompletionStage<Object> send(ScriptCall call) {
      return sending.apply(call);
    }

    @Override
    public List<CompletionStage<Object>> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(sending).toList();
    }

    @Override
    public @Nullable TransportFailure failure(Throwable thrown) {
      return RecordedTransport.failureOf(thrown);
    }

    @Override
    public CompletionStage<?> loadFunctions(String library) {
      throw new UnsupportedOperationException();
    }
  }

  /** A stage that cannot be had as a future. */
  private static final class Closed extends CompletableFuture<Object> {
    @Override
    public CompletableFuture<Object> toCompletableFuture() {
      throw new UnsupportedOperationException("not interoperable");
    }
  }

  /** Throws an Error at every event. */
  private static final class Broken implements RateLimitListener {
    @Override
    public void onDecision(
        LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {
      throw new NoClassDefFoundError("metrics");
    }

    @Override
    public void onFailure(LimiterCall call, RuntimeException failure) {
      throw new NoClassDefFoundError("metrics");
    }
  }

  @Test
  @DisplayName("a listener that throws an Error delays no call, answered or late")
  void brokenListener() throws Exception {
    CompletableFuture<Object> answer = CompletableFuture.completedFuture(ALLOWED);
    AsyncRateLimiter answered =
        limiter(call -> answer, options.toBuilder().listener(new Broken()).build());
    assertThat(get(answered.tryAcquire("u")).allowed()).isTrue();
    AsyncRateLimiter late =
        limiter(
            call -> new CompletableFuture<>(), options.toBuilder().listener(new Broken()).build());
    assertLate(late.tryAcquire("u"));
    assertLate(late.tryAcquire("u"));
  }

  @Test
  @DisplayName("a stage that cannot be had as a future is late like any other")
  void closedStage() throws Exception {
    AsyncRateLimiter limiter = limiter(call -> new Closed(), options);
    assertLate(limiter.tryAcquire("u"));
    assertLate(limiter.tryAcquire("u"));
    RateLimiter blocking = blocking(new FunctionTransport(call -> new Closed()));
    assertThatThrownBy(() -> blocking.tryAcquire("u"))
        .isInstanceOf(MayHaveBeenChargedException.class);
  }

  @Test
  @DisplayName("an Error that a transport throws fails its call, and no other")
  void errorOfTheTransport() throws Exception {
    AsyncRateLimiter limiter =
        limiter(
            call -> {
              throw new StackOverflowError();
            },
            options);
    assertThatThrownBy(() -> get(limiter.tryAcquire("u")))
        .cause()
        .isExactlyInstanceOf(PenstockException.class)
        .hasMessageContaining("may have been charged")
        .hasRootCauseInstanceOf(StackOverflowError.class);
    List<Outcome> outcomes = get(limiter.tryAcquireAll(List.of("a", "b")));
    outcomes.forEach(
        outcome ->
            assertThatThrownBy(outcome::decision).isExactlyInstanceOf(PenstockException.class));
  }

  @Test
  @DisplayName("what depends on a late call may block without delaying the deadlines of others")
  void blockingDependent() throws Exception {
    AsyncRateLimiter limiter = limiter(call -> new CompletableFuture<>(), options);
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < 8; i++) {
      limiter.tryAcquire("u").whenComplete((decision, failure) -> await(end));
    }
    assertLate(limiter.tryAcquire("other"));
    end.countDown();
  }

  @Test
  @DisplayName(
      "who cancels a call, or a batch, cancels what the transport waits for, before the deadline")
  void cancelled() {
    List<CompletableFuture<Object>> waiting = new ArrayList<>();
    AsyncRateLimiter limiter =
        limiter(
            call -> {
              waiting.add(new CompletableFuture<>());
              return waiting.get(waiting.size() - 1);
            },
            options);
    limiter.tryAcquire("u").toCompletableFuture().cancel(false);
    limiter.tryAcquireAll(List.of("a", "b")).toCompletableFuture().cancel(false);
    assertThat(waiting).hasSize(3).allMatch(CompletableFuture::isCancelled);
  }

  @Test
  @DisplayName("a call that is late while it is being sent is cancelled when its stage is there")
  void lateWhileSending() throws Exception {
    CompletableFuture<Object> wire = new CompletableFuture<>();
    AsyncRateLimiter limiter =
        limiter(
            call -> {
              time.pass(MINUTE);
              return wire;
            },
            options);
    assertLate(limiter.tryAcquire("u"));
    assertThat(wire).isCancelled();
  }

  @Test
  @DisplayName("a transport that knows on being cancelled that a call was never sent is believed")
  void neverSent() throws Exception {
    IllegalStateException queued = new IllegalStateException("still in the queue");
    FunctionTransport transport = new FunctionTransport(call -> new Queued(queued));
    AsyncRateLimiter limiter = limiter(transport.sending(), options);
    // The second one shares trips.
    for (CompletionStage<Decision> call :
        List.of(limiter.tryAcquire("u"), limiter.tryAcquire("u"))) {
      assertThatThrownBy(() -> late(call)).cause().hasCause(queued);
    }
    RateLimiter blocking = blocking(transport);
    assertThatThrownBy(() -> blocking.tryAcquire("u")).hasCause(queued);
  }

  /** A call that is never written. */
  private static final class Queued extends CompletableFuture<Object> {
    private final RuntimeException why;

    Queued(RuntimeException why) {
      this.why = why;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      return completeExceptionally(new NotSentException(why));
    }
  }

  private RateLimiter blocking(FunctionTransport transport) {
    return new AsyncTransportRateLimiters(
            transport, options, KnownPasswords.none(), () -> {}, eager)
        .limiter("api", LIMIT);
  }

  private AsyncRateLimiter limiter(
      Function<ScriptCall, CompletionStage<Object>> sending, RateLimiterOptions chosen) {
    return new AsyncTransportRateLimiters(
            new FunctionTransport(sending), chosen, KnownPasswords.none(), () -> {}, time)
        .asyncLimiter("api", LIMIT);
  }

  private void assertLate(CompletionStage<Decision> call) {
    assertThatThrownBy(() -> late(call))
        .cause()
        .isInstanceOf(MayHaveBeenChargedException.class)
        .hasMessageContaining("no answer within the deadline");
  }

  private static void await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private <T> T late(CompletionStage<T> stage) throws Exception {
    time.pass(MINUTE);
    return get(stage);
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
