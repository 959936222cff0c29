package io.github.penstock.core.internal.engine;

import static io.github.penstock.core.internal.engine.RecordedTransport.NOSCRIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.internal.engine.RecordedTransport.ServerError;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.time.EagerTime;
import io.github.penstock.core.spi.time.SteppedTime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AsyncTransportRateLimiterTest {
  private static final List<Long> ALLOWED = List.of(1L, 5L, 4L, 0L, 1_000_000L, 1L);
  private static final String KEY = " fixed-window penstock:api:{u}:w1000000";
  private static final Duration DEADLINE = Duration.ofMinutes(1);
  private final SteppedTime time = new SteppedTime();
  private final RecordedTransport transport = new RecordedTransport();
  private final RateLimiterOptions options =
      RateLimiterOptions.builder().deadline(DEADLINE).build();

  @Test
  @DisplayName("NOSCRIPT is answered by EVAL, once")
  void healsNoScript() throws Exception {
    transport.answers(new ServerError(NOSCRIPT), ALLOWED);
    assertThat(get(limiter(options).tryAcquire("u")))
        .isEqualTo(new Decision(true, 5, 4, 0, 1_000_000, 1, DecisionSource.SERVER));
    assertThat(transport.sent()).containsExactly("EVALSHA" + KEY, "EVAL" + KEY);
    ServerError again = new ServerError(NOSCRIPT);
    transport.answers(new ServerError(NOSCRIPT), again);
    assertThatThrownBy(() -> get(limiter(options).refund("u", 2)))
        .cause()
        .isExactlyInstanceOf(PenstockException.class)
        .hasCause(again);
    assertThat(transport.sent()).hasSize(4);
  }

  @Test
  @DisplayName("a stage's failure is judged by what it wraps")
  void unwraps() {
    IllegalStateException lost = new IllegalStateException("lost");
    transport.answers(CompletableFuture.failedFuture(new CompletionException(lost)));
    assertThatThrownBy(() -> get(limiter(options).tryAcquire("u")))
        .cause()
        .isInstanceOf(MayHaveBeenChargedException.class)
        .hasCause(lost);
    transport.answers(
        CompletableFuture.failedFuture(new CompletionException(new NotSentException(lost))));
    assertThatThrownBy(() -> get(limiter(options).peek("u"))).cause().hasCause(lost);
  }

  @Test
  @DisplayName("a call that is lost when its limiters are closed is not allowed as if in an outage")
  void closed() {
    CompletableFuture<Object> lost = new CompletableFuture<>();
    transport.answers(lost);
    AsyncTransportRateLimiters limiters =
        new AsyncTransportRateLimiters(
            transport,
            options.toBuilder().onUnavailable(OnUnavailable.ALLOW).build(),
            () -> lost.completeExceptionally(new IllegalStateException("closed")));
    CompletionStage<Decision> call =
        limiters.asyncLimiter("api", FixedWindow.of(5, Duration.ofSeconds(1))).tryAcquire("u");
    limiters.close();
    assertThatThrownBy(() -> get(call)).cause().isInstanceOf(MayHaveBeenChargedException.class);
    assertThatThrownBy(limiters::loadFunctions).isExactlyInstanceOf(IllegalStateException.class);
  }

  @Test
  @DisplayName(
      "the deadline ends a call, cancels what the transport waits for, and a late answer changes"
          + " nothing")
  void deadline() throws Exception {
    CompletableFuture<Object> never = new CompletableFuture<>();
    CompletableFuture<Object> uncancelled = new CompletableFuture<>();
    transport.answers(never, uncancelled.minimalCompletionStage().toCompletableFuture());
    CompletionStage<Decision> thrown = limiter(options).tryAcquire("u");
    CompletionStage<Decision> allowed =
        limiter(options.toBuilder().onUnavailable(OnUnavailable.ALLOW).build()).tryAcquire("u");
    time.pass(DEADLINE.minusNanos(1));
    assertThat(thrown.toCompletableFuture()).as("not before the deadline").isNotDone();
    time.pass(Duration.ofNanos(1));
    assertThatThrownBy(() -> get(thrown))
        .cause()
        .isInstanceOf(MayHaveBeenChargedException.class)
        .hasRootCauseInstanceOf(TimeoutException.class);
    assertThat(get(allowed).enforced()).isFalse();
    assertThat(never).isCancelled();
    uncancelled.complete(ALLOWED);
    assertThat(get(allowed).enforced()).isFalse();
  }

  @Test
  @DisplayName("deadlines are watched again after a time in which there was none to watch")
  void deadlinesAfterAPause() {
    AsyncRateLimiter limiter = limiter(options);
    for (int round = 0; round < 3; round++) {
      transport.answers(new CompletableFuture<>());
      CompletionStage<Decision> late = limiter.tryAcquire("u");
      time.pass(DEADLINE);
      assertThatThrownBy(() -> get(late)).cause().isInstanceOf(MayHaveBeenChargedException.class);
    }
  }

  @Test
  @DisplayName("a batch is in order, heals only what did not run, and one failure spoils no other")
  void batch() throws Exception {
    transport.answers(new ServerError(NOSCRIPT), new ServerError("LOADING no"), ALLOWED, ALLOWED);
    List<Outcome> outcomes = get(limiter(options).tryAcquireAll(List.of("a", "\ud83d", "b", "c")));
    assertThat(outcomes).extracting(Outcome::subject).containsExactly("a", "\ud83d", "b", "c");
    assertThat(outcomes.get(0).decision().allowed()).isTrue();
    assertThatIllegalArgumentException().isThrownBy(outcomes.get(1)::decision);
    assertThatThrownBy(outcomes.get(2)::decision).hasMessageEndingWith(": LOADING no");
    assertThat(outcomes.get(3).decision().allowed()).isTrue();
    assertThat(get(limiter(options).tryAcquireAll(List.of()))).isEmpty();
  }

  @Test
  @DisplayName("as many units as there are, and a batch with a cost each")
  void several() throws Exception {
    transport.answers(List.of(3L, 5L, 0L, 0L, 9L, 1L), ALLOWED, ALLOWED);
    assertThat(get(limiter(options).tryAcquireUpTo("u", 64)).units()).isEqualTo(3);
    List<SubjectCost> each = List.of(new SubjectCost("a", 2), new SubjectCost("a", 3));
    assertThat(get(limiter(options).tryAcquireEach(each)))
        .extracting(Outcome::subject)
        .containsExactly("a", "a");
    assertThat(transport.costs()).containsExactly("1*64", "2", "3");
  }

  @Test
  @DisplayName("waiting for a stage ends with the deadline, and cancels it")
  void awaiting() {
    EagerTime eager = transport.time();
    Limit limit = FixedWindow.of(5, Duration.ofSeconds(1));
    RateLimiter blocking =
        new AsyncTransportRateLimiters(transport, options, KnownPasswords.none(), () -> {}, eager)
            .limiter("api", limit);
    CompletableFuture<Object> never = new CompletableFuture<>();
    transport.answers(new ServerError(NOSCRIPT), ALLOWED, never, new ServerError("LOADING no"));
    assertThat(blocking.tryAcquire("u").allowed()).isTrue();
    assertThatThrownBy(() -> blocking.tryAcquire("u"))
        .isInstanceOf(MayHaveBeenChargedException.class)
        .hasRootCauseInstanceOf(TimeoutException.class);
    assertThat(never).isCancelled();
    assertThat(eager.passed()).isEqualTo(DEADLINE);
    assertThatThrownBy(() -> blocking.tryAcquire("u")).hasCauseInstanceOf(ServerError.class);
  }

  @Test
  @DisplayName("an argument out of bounds is thrown at once, not by the stage")
  void arguments() {
    AsyncRateLimiter limiter = limiter(options);
    Duration second = Duration.ofSeconds(1);
    refused("cost must be from 1 to 1000000000000: 0", () -> limiter.tryAcquire("u", 0));
    refused("cost must be from 1 to 1000000000000: 0", () -> limiter.acquire("u", 0, second));
    refused("subject must not be empty", () -> limiter.acquire("", 1, second));
    List<String> subjects = Collections.nCopies(10_001, "u");
    refused(
        "subjects: a batch has at most 10,000 calls, not 10,001",
        () -> limiter.tryAcquireAll(subjects));
    List<SubjectCost> calls = Collections.nCopies(10_001, new SubjectCost("u", 1));
    refused(
        "calls: a batch has at most 10,000 calls, not 10,001", () -> limiter.tryAcquireEach(calls));
    refused(
        "atMost must be from 0 to 366 days: PT-1S",
        () -> limiter.acquire("u", 1, second.negated()));
    assertThat(transport.costs()).isEmpty();
  }

  private static void refused(String message, ThrowingCallable call) {
    assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
  }

  @Test
  @DisplayName("a limiter tells its policy and its limit")
  void properties() {
    AsyncRateLimiter limiter = limiter(options);
    assertThat(limiter.policy()).isEqualTo("api");
    assertThat(limiter.limit()).isEqualTo(FixedWindow.of(5, Duration.ofSeconds(1)));
    assertThat(limiter).hasToString("api: fixed-window:5/1s");
  }

  private AsyncRateLimiter limiter(RateLimiterOptions options) {
    Limit limit = FixedWindow.of(5, Duration.ofSeconds(1));
    return new AsyncTransportRateLimiters(transport, options, KnownPasswords.none(), () -> {}, time)
        .asyncLimiter("api", limit);
  }

  private static <T> T get(CompletionStage<T> stage)
      throws InterruptedException, ExecutionException, TimeoutException {
    return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
  }
}
