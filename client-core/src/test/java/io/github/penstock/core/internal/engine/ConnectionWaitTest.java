package io.github.penstock.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnUnavailable;
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
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls wait for their connection, until their deadline, and none is written twice. */
class ConnectionWaitTest {
  private static final int MOST_WAITING = 45_000;

  private static final int MOST_TOGETHER = 16;
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(32);
  private static final Limit LIMIT = FixedWindow.of(5, Duration.ofSeconds(1));
  private static final List<Long> ALLOWED = List.of(1L, 5L, 4L, 0L, 1_000_000L, 1L);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final RateLimiterOptions PATIENT =
      RateLimiterOptions.builder().deadline(HOUR).build();
  private final SteppedTime time = new SteppedTime();
  private final EagerTime eager = new EagerTime();
  private final LostLine line = new LostLine();

  /** A connection that comes at the nth attempt, or on demand; it counts what is sent. */
  private static class LostLine implements ScriptTransport {
    private final RuntimeException refused = new IllegalStateException("refused");
    private final Map<String, Integer> written = new ConcurrentHashMap<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private volatile int cameAt = Integer.MAX_VALUE;

    @Override
    public CompletionStage<Object> send(ScriptCall call) {
      if (attempts.incrementAndGet() < cameAt) {
        throw NotSentException.notConnected(refused);
      }
      written.merge(call.keyText(), 1, Integer::sum);
      return CompletableFuture.completedFuture(ALLOWED);
    }

    @Override
    public List<CompletionStage<Object>> sendAll(List<ScriptCall> calls) {
      List<CompletionStage<Object>> stages = new ArrayList<>();
      for (ScriptCall call : calls) {
        try {
          stages.add(send(call));
        } catch (RuntimeException e) {
          stages.add(CompletableFuture.failedFuture(e));
        }
      }
      return stages;
    }

    @Override
    public TransportFailure failure(Throwable thrown) {
      return null;
    }

    @Override
    public CompletionStage<?> loadFunctions(String library) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  @DisplayName("a blocking call waits until there is a connection")
  void blocking() {
    line.cameAt = 5;
    assertThat(blocking(PATIENT).tryAcquire("u").enforced()).isTrue();
    assertThat(line.attempts).hasValue(5);
    assertThat(line.written).containsOnly(Map.entry("penstock:api:{u}:w1000000", 1));
  }

  @Test
  @DisplayName("a blocking batch waits, and only what was not sent is sent again")
  void blockingBatch() {
    line.cameAt = 3;
    assertThat(blocking(PATIENT).tryAcquireAll(List.of("a", "b", "c", "d")))
        .allMatch(outcome -> outcome.decision().enforced());
    assertThat(line.written).hasSize(4).allSatisfy((key, times) -> assertThat(times).isOne());
    assertThat(line.attempts).hasValue(6);
  }

  @Test
  @DisplayName("a blocking call waits no longer than its deadline, and says that it was not sent")
  void blockingDeadline() {
    assertThatThrownBy(() -> blocking(PATIENT).tryAcquire("u"))
        .isExactlyInstanceOf(NoDecisionException.class)
        .hasMessageContaining("nothing was charged")
        .hasCause(line.refused);
    RateLimiterOptions allowing = PATIENT.toBuilder().onUnavailable(OnUnavailable.ALLOW).build();
    assertThat(blocking(allowing).tryAcquire("u").enforced()).isFalse();
    assertThat(line.written).isEmpty();
    assertThat(eager.passed())
        .isBetween(HOUR.multipliedBy(2).minusSeconds(1), HOUR.multipliedBy(2));
  }

  @Test
  @DisplayName("who is interrupted still waits for a connection, and stays interrupted")
  void interrupted() {
    line.cameAt = 5;
    Thread.currentThread().interrupt();
    try {
      assertThat(blocking(PATIENT).tryAcquire("u").enforced()).isTrue();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  @DisplayName(
      "40,000 asynchronous calls wait, few try meanwhile, and all are released by an answer")
  void asynchronous() throws Exception {
    AsyncRateLimiter api = asynchronous(line);
    List<CompletableFuture<Decision>> calls = calls(api, 40_000);
    assertThat(calls).noneMatch(CompletableFuture::isDone);
    int attempts = line.attempts.get();
    for (int pauseMs : new int[] {1, 2, 4, 8, 16, 32, 32, 32}) {
      time.pass(Duration.ofMillis(pauseMs));
      time.awaitPending(2);
      attempts += MOST_TOGETHER;
      assertThat(line.attempts).as("a few after each pause").hasValue(attempts);
    }
    line.cameAt = 0;
    time.pass(LONGEST_PAUSE);
    for (CompletableFuture<Decision> call : calls) {
      assertThat(call.get(60, TimeUnit.SECONDS).enforced()).isTrue();
    }
    assertThat(line.written).hasSize(40_000).allSatisfy((key, n) -> assertThat(n).isOne());
  }

  @Test
  @DisplayName("an asynchronous batch waits, whether its calls fail one by one or all together")
  void asynchronousBatch() throws Exception {
    line.cameAt = 3;
    assertThat(get(asynchronous(line).tryAcquireAll(List.of("a", "b", "c", "d"))))
        .allMatch(outcome -> outcome.decision().enforced());
    LostLine refusing =
        new LostLine() {
          @Override
          public List<CompletionStage<Object>> sendAll(List<ScriptCall> calls) {
            throw NotSentException.notConnected(line.refused);
          }
        };
    refusing.cameAt = 3;
    AsyncRateLimiter api = asynchronous(refusing);
    assertThat(get(api.tryAcquireAll(List.of("e", "f"))))
        .allMatch(outcome -> outcome.decision().enforced());
    assertThat(refusing.written).hasSize(2);
    assertThat(line.written).hasSize(4).allSatisfy((key, times) -> assertThat(times).isOne());
  }

  /* Moves the clock until a call that waits has been handed over again. */
  private <T> T get(CompletionStage<T> stage) throws Exception {
    while (true) {
      time.pass(LONGEST_PAUSE);
      try {
        return stage.toCompletableFuture().get(1, TimeUnit.MILLISECONDS);
      } catch (TimeoutException notYet) {
        assertThat(stage.toCompletableFuture()).isNotCancelled();
      }
    }
  }

  @Test
  @DisplayName("at most 45,000 wait, one more fails at once, and a place is free again")
  void bounded() throws Exception {
    AsyncRateLimiter api = asynchronous(line);
    List<CompletableFuture<Decision>> calls = calls(api, MOST_WAITING + 1_000);
    List<CompletableFuture<Decision>> failed =
        calls.stream().filter(CompletableFuture::isDone).toList();
    assertThat(failed).hasSize(1_000);
    assertThatThrownBy(() -> failed.get(0).join())
        .cause()
        .isExactlyInstanceOf(NoDecisionException.class);
    line.cameAt = 0;
    time.pass(LONGEST_PAUSE);
    for (CompletableFuture<Decision> call : calls) {
      call.handle((decision, failure) -> decision).get(60, TimeUnit.SECONDS);
    }
    assertThat(calls.stream().filter(call -> !call.isCompletedExceptionally()))
        .hasSameSizeAs(line.written.keySet());
    line.cameAt = Integer.MAX_VALUE;
    assertThat(api.tryAcquire("later").toCompletableFuture()).isNotDone();
  }

  @Test
  @DisplayName("asynchronous calls that wait past their deadline are never sent, and say so")
  void asynchronousDeadline() throws Exception {
    AsyncRateLimiter api = asynchronous(line);
    List<CompletableFuture<Decision>> calls = calls(api, 1_000);
    time.pass(HOUR);
    for (CompletableFuture<Decision> call : calls) {
      assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(NoDecisionException.class)
          .isNotInstanceOf(MayHaveBeenChargedException.class)
          .hasCause(line.refused);
    }
    CompletionStage<Decision> behind = api.tryAcquire("behind");
    line.cameAt = 0;
    assertThat(get(behind).enforced()).isTrue();
    assertThat(line.written).hasSize(1);
  }

  @Test
  @DisplayName("a call that is cancelled while it waits is never sent")
  void cancelled() throws Exception {
    AsyncRateLimiter api = asynchronous(line);
    CompletableFuture<Decision> cancelled = api.tryAcquire("no").toCompletableFuture();
    CompletableFuture<Decision> kept = api.tryAcquire("yes").toCompletableFuture();
    cancelled.cancel(true);
    line.cameAt = 0;
    assertThat(get(kept).enforced()).as("it waits behind the other").isTrue();
    assertThat(line.written).containsOnlyKeys("penstock:api:{yes}:w1000000");
  }

  @Test
  @DisplayName(
      "a call that is late while it is handed over again ends, whatever the transport does then")
  void lateWhileTrying() {
    AtomicInteger attempts = new AtomicInteger();
    ScriptTransport slow =
        new LostLine() {
          @Override
          public CompletionStage<Object> send(ScriptCall call) {
            if (attempts.incrementAndGet() == 1) {
              throw NotSentException.notConnected(line.refused);
            }
            time.pass(HOUR);
            return new CompletableFuture<>().minimalCompletionStage();
          }
        };
    CompletionStage<Decision> late = asynchronous(slow).tryAcquire("u");
    time.pass(Duration.ofMillis(1));
    assertThatThrownBy(() -> late.toCompletableFuture().get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(NoDecisionException.class);
  }

  private static List<CompletableFuture<Decision>> calls(AsyncRateLimiter api, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> api.tryAcquire("u" + i).toCompletableFuture())
        .toList();
  }

  private RateLimiter blocking(RateLimiterOptions options) {
    return limiters(line, options, eager).limiter("api", LIMIT);
  }

  private AsyncRateLimiter asynchronous(ScriptTransport transport) {
    return limiters(transport, PATIENT, time).asyncLimiter("api", LIMIT);
  }

  private static AsyncTransportRateLimiters limiters(
      ScriptTransport transport, RateLimiterOptions options, TimeSource time) {
    return new AsyncTransportRateLimiters(
        transport, options, KnownPasswords.none(), () -> {}, time);
  }
}
