package io.github.penstock.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.AnswerWatch;
import io.github.penstock.core.spi.AsyncScriptTransport;
import io.github.penstock.core.spi.EventLoopWatch;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.TransportFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
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
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private final RateLimiterOptions options =
      RateLimiterOptions.builder().deadline(Duration.ofMillis(150)).build();
  private final RateLimiterOptions patient =
      options.toBuilder().deadline(Duration.ofMinutes(1)).build();

  /** A transport whose every call goes to a function. */
  private record FunctionTransport(Function<ScriptCall, CompletionStage<Object>> sending)
      implements AsyncScriptTransport {
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
        limiter(call -> answer, patient.toBuilder().listener(new Broken()).build());
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
    var blocking =
        new TransportRateLimiters(
            new AwaitingTransport(new FunctionTransport(call -> new Closed()), SECOND),
            options,
            () -> {});
    assertThatThrownBy(() -> blocking.limiter("api", LIMIT).tryAcquire("u"))
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
            patient);
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
            patient);
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
              await(Duration.ofMillis(400));
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
    AsyncRateLimiter limiter =
        new AsyncTransportRateLimiters(transport, options, () -> {}).asyncLimiter("api", LIMIT);
    assertThatThrownBy(() -> get(limiter.tryAcquire("u"))).cause().hasCause(queued);
    var blocking =
        new TransportRateLimiters(new AwaitingTransport(transport, SECOND), options, () -> {})
            .limiter("api", LIMIT);
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

  private static AsyncRateLimiter limiter(
      Function<ScriptCall, CompletionStage<Object>> sending, RateLimiterOptions options) {
    return new AsyncTransportRateLimiters(new FunctionTransport(sending), options, () -> {})
        .asyncLimiter("api", LIMIT);
  }

  @Test
  @DisplayName("a call that has no room to wait for a silent node's first answer is overloaded")
  void noRoom() {
    AnswerWatch watch = new AnswerWatch(MINUTE, new EventLoopWatch(MINUTE));
    watch.sending(0, true);
    AsyncRateLimiter limiter =
        limiter(
            call -> CompletableFuture.failedFuture(watch.full(0, new IllegalStateException())),
            patient.toBuilder().onUnavailable(OnUnavailable.ALLOW).build());
    List<CompletableFuture<Decision>> calls = new ArrayList<>();
    for (int i = 0; i < 46_000; i++) {
      calls.add(limiter.tryAcquire("u").toCompletableFuture());
    }
    List<CompletableFuture<Decision>> ended =
        calls.stream().filter(CompletableFuture::isDone).toList();
    assertThat(ended).hasSizeBetween(900, 1_000);
    assertThat(ended)
        .allMatch(call -> call.join().source() == DecisionSource.OVERLOADED)
        .noneMatch(call -> call.join().allowed());
  }

  @Test
  @DisplayName("a call that has waited keeps its place when the bound fills again before it goes")
  void fullAgain() throws Exception {
    AnswerWatch watch = new AnswerWatch(MINUTE, new EventLoopWatch(MINUTE));
    watch.sending(0, true);
    RuntimeException full = new IllegalStateException("full");
    Iterator<CompletableFuture<Object>> answers =
        List.of(
                CompletableFuture.failedFuture(watch.full(0, full)),
                CompletableFuture.failedFuture(NotSentException.overloaded(full)),
                CompletableFuture.<Object>completedFuture(ALLOWED))
            .iterator();
    AsyncRateLimiter limiter = limiter(call -> answers.next(), patient);
    assertThat(get(limiter.tryAcquire("u")).enforced()).isTrue();
    AsyncRateLimiter first =
        limiter(call -> CompletableFuture.failedFuture(NotSentException.overloaded(full)), patient);
    assertThat(get(first.tryAcquire("u")).source()).isEqualTo(DecisionSource.OVERLOADED);
  }

  private static void assertLate(CompletionStage<Decision> call) {
    assertThatThrownBy(() -> get(call))
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

  private static void await(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
