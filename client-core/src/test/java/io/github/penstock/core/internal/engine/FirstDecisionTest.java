package io.github.penstock.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.engine.RecordedTransport.ServerError;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import io.github.penstock.core.spi.adapter.TransportRateLimiters;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The start of limiters, and the threads on which their stages complete. */
class FirstDecisionTest {
  private static final Limit LIMIT = FixedWindow.of(5, Duration.ofSeconds(1));
  private static final List<Long> ALLOWED = List.of(1L, 5L, 4L, 0L, 1_000_000L, 1L);
  private static final Duration LONG = Duration.ofMinutes(1);
  private final RecordedTransport transport = new RecordedTransport();
  private final RateLimiterOptions options =
      RateLimiterOptions.builder().onUnavailable(OnUnavailable.ALLOW).build();

  @Test
  @DisplayName("awaitConnected takes a unit under each policy, or one of its own")
  void takes() {
    transport.answers(ALLOWED, ALLOWED, ALLOWED, ALLOWED);
    TransportRateLimiters limiters = new TransportRateLimiters(transport, options, () -> {});
    limiters.awaitConnected(LONG);
    assertThat(transport.calls().get(0).remainingNanos())
        .as("no more than a call's deadline")
        .isLessThanOrEqualTo(options.deadline().toNanos());
    limiters.limiter("api", LIMIT);
    limiters.limiter("api", LIMIT);
    limiters.limiter("login", LIMIT);
    limiters.awaitConnected(LONG);
    assertThat(transport.sent().get(0)).contains(" penstock:connected:{connected}:");
    assertThat(transport.sent().subList(1, 3))
        .anyMatch(call -> call.contains(" penstock:api:{connected}:"))
        .anyMatch(call -> call.contains(" penstock:login:{connected}:"));
    assertThat(transport.costs()).containsExactly("1", "1", "1");
  }

  @Test
  @DisplayName("a peek is no first decision, since a replica answers it, too")
  void peeked() {
    transport.answers(ALLOWED, new ServerError("READONLY no"));
    RateLimiter api =
        new TransportRateLimiters(
                transport, options.toBuilder().throwUntilFirstDecision(true).build(), () -> {})
            .limiter("api", LIMIT);
    api.peek("u");
    assertThatThrownBy(() -> api.tryAcquire("u")).isInstanceOf(NoDecisionException.class);
  }

  @Test
  @DisplayName("awaitConnected waits through an outage, whatever onUnavailable says")
  void waits() {
    transport.answers(new ServerError("LOADING no"), new IllegalStateException("lost"), ALLOWED);
    transport.limiters(options).awaitConnected(LONG);
    assertThat(transport.sent()).hasSize(3);
  }

  @Test
  @DisplayName("awaitConnected throws the last cause after its time, and a mistake at once")
  void throwing() {
    Collections.nCopies(1_000, new ServerError("LOADING no")).forEach(transport::answers);
    TransportRateLimiters limiters = transport.limiters(options);
    long begunNanos = transport.time().nanos();
    Duration most = Duration.ofMillis(100);
    assertThatThrownBy(() -> limiters.awaitConnected(most))
        .isExactlyInstanceOf(NoDecisionException.class)
        .hasMessageContaining("LOADING no");
    RecordedTransport wrong = new RecordedTransport().answers(new ServerError("NOAUTH no"));
    assertThatThrownBy(() -> wrong.limiters(options).awaitConnected(LONG))
        .isInstanceOf(MisconfiguredException.class);
    assertThat(transport.calls().get(0).deadlineNanos() - begunNanos)
        .as("no more than what is waited")
        .isEqualTo(most.toNanos());
    assertThat(transport.time().passed()).isEqualTo(most);
    limiters.close();
    assertThatIllegalStateException().isThrownBy(() -> limiters.awaitConnected(LONG));
  }

  @Test
  @DisplayName("stages complete on the executor, calls, batches and waits alike")
  void completeOn() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor(work -> new Thread(work, "mine"));
    AsyncRateLimiter api = api(options.toBuilder().completeOn(executor).build());
    CompletableFuture<Object> answer = new CompletableFuture<>();
    CompletableFuture<Object> ofBatch = new CompletableFuture<>();
    CompletableFuture<Object> ofWait = new CompletableFuture<>();
    transport.answers(answer, ofBatch, ofWait);
    CompletableFuture<String> call = thread(api.tryAcquire("u").toCompletableFuture());
    CompletableFuture<String> batch = thread(api.tryAcquireAll(List.of("u")).toCompletableFuture());
    CompletableFuture<String> wait = thread(api.acquire("u", 1, LONG).toCompletableFuture());
    answer.complete(ALLOWED);
    ofBatch.complete(ALLOWED);
    ofWait.completeExceptionally(new ServerError("LOADING no"));
    assertThat(List.of(get(call), get(batch), get(wait))).containsOnly("mine");
    executor.shutdown();
  }

  @Test
  @DisplayName("where the executor refuses, stages complete nevertheless")
  void refusing() throws Exception {
    AsyncRateLimiter api =
        api(
            options.toBuilder()
                .completeOn(
                    work -> {
                      throw new RejectedExecutionException("full");
                    })
                .build());
    transport.answers(ALLOWED, ALLOWED);
    Decision decision = get(api.tryAcquire("u").toCompletableFuture());
    assertThat(decision.allowed()).isTrue();
    assertThat(get(api.tryAcquireAll(List.of("u")).toCompletableFuture())).hasSize(1);
  }

  private AsyncRateLimiter api(RateLimiterOptions chosen) {
    return new AsyncTransportRateLimiters(transport, chosen, () -> {}).asyncLimiter("api", LIMIT);
  }

  private static CompletableFuture<String> thread(CompletableFuture<?> stage) {
    return stage.thenApply(result -> Thread.currentThread().getName());
  }

  private static <T> T get(CompletableFuture<T> stage) throws Exception {
    return stage.get(60, TimeUnit.SECONDS);
  }
}
