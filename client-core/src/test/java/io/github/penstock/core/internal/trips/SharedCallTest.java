package io.github.penstock.core.internal.trips;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.node.ClientNumbers;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.time.SteppedTime;
import java.io.EOFException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Trips through a transport whose answers the test gives. */
class SharedCallTest {
  private static final List<Long> ALLOWED = List.of(1L, 100L, 50L, 0L, 9L, 1L);
  private static final int ALONE = (int) ClientNumbers.TRIP_CALLS_AT_ONCE;
  private final AtomicInteger opened = new AtomicInteger();
  private final HeldTransport transport = new HeldTransport();
  private final AsyncTransportRateLimiters limiters =
      new AsyncTransportRateLimiters(
          transport,
          RateLimiterOptions.builder()
              .deadline(Duration.ofMinutes(1))
              .onUnavailable(OnUnavailable.ALLOW)
              .circuitBreaker(Duration.ofMinutes(1))
              .listener(
                  new RateLimitListener() {
                    @Override
                    public void onDecision(
                        LimiterCall call,
                        AcquiredUnits acquired,
                        @Nullable RuntimeException cause) {}

                    @Override
                    public void onCircuitOpened(String node) {
                      opened.incrementAndGet();
                    }
                  })
              .build(),
          KnownPasswords.none(),
          () -> {},
          new SteppedTime());
  private final AsyncRateLimiter limiter =
      limiters.asyncLimiter("api", FixedWindow.of(100, Duration.ofHours(1)));

  @AfterEach
  void close() {
    limiters.close();
  }

  private List<CompletableFuture<Decision>> begun(int calls) {
    return IntStream.range(0, calls)
        .mapToObj(i -> limiter.tryAcquire("u").toCompletableFuture())
        .toList();
  }

  private static List<String> costs(String... ofTrip) {
    return Stream.concat(Collections.nCopies(ALONE, "1").stream(), Stream.of(ofTrip)).toList();
  }

  @Test
  @DisplayName("C2 those who come while eight calls are under way go together")
  void together() {
    List<CompletableFuture<Decision>> calls = begun(ALONE + 5);
    assertThat(transport.costs).isEqualTo(costs());
    transport.held.get(0).complete(ALLOWED);
    assertThat(transport.costs).isEqualTo(costs("1*4", "1"));
    transport.held.get(ALONE).complete(List.of(3L, 100L, 0L, 0L, 9L, 1L));
    transport.held.get(ALONE + 1).complete(List.of(0L, 100L, 0L, 77L, 9L, 1L));
    assertThat(calls.subList(ALONE, ALONE + 5))
        .extracting(call -> call.join().remaining())
        .containsExactly(2L, 1L, 0L, 0L, 0L);
    assertThat(calls.get(ALONE + 4).join().waitMicros()).isEqualTo(77);
    assertThat(calls.get(0).join().remaining()).isEqualTo(50);
    assertThat(calls.get(1)).isNotDone();
  }

  @Test
  @DisplayName("C5 a call that goes alone and is cancelled leaves those who wait in the queue")
  void cancelledAlone() {
    List<CompletableFuture<Decision>> calls = begun(ALONE + 2);
    calls.get(1).cancel(true);
    transport.held.get(0).complete(ALLOWED);
    assertThat(transport.costs).isEqualTo(costs("1", "1"));
    transport.held.get(ALONE).complete(ALLOWED);
    transport.held.get(ALONE + 1).complete(ALLOWED);
    assertThat(calls.subList(ALONE, ALONE + 2)).allMatch(call -> call.join().enforced());
  }

  @Test
  @DisplayName("C4 a trip that is lost counts once for the circuit breaker")
  void countsOnce() {
    for (int trip = 0; trip < 4; trip++) {
      List<CompletableFuture<Decision>> calls = begun(ALONE + 5);
      int next = transport.held.size();
      // These are answered, so that the count of lost calls begins anew.
      List.copyOf(transport.held.subList(next - ALONE, next))
          .forEach(lone -> lone.complete(ALLOWED));
      transport.lose(next);
      transport.lose(next + 1);
      assertThat(calls).allMatch(CompletableFuture::isDone);
      assertThat(calls.get(ALONE).join().enforced()).isFalse();
    }
    assertThat(opened).hasValue(0);
    for (int lone = 0; lone < 5; lone++) {
      begun(1);
      transport.lose(transport.held.size() - 1);
    }
    assertThat(opened).hasValue(1);
  }

  @Test
  @DisplayName("C5 a call that is cancelled while it waits is not sent")
  void cancelled() {
    List<CompletableFuture<Decision>> calls = begun(ALONE + 5);
    calls.subList(ALONE, ALONE + 4).forEach(call -> call.cancel(true));
    transport.held.get(0).complete(ALLOWED);
    assertThat(transport.costs).isEqualTo(costs("1"));
    transport.held.get(ALONE).complete(ALLOWED);
    assertThat(calls.get(ALONE + 4).join().remaining()).isEqualTo(50);
  }

  @Test
  @DisplayName("C5 the unit of a call that is cancelled after it was sent goes to the next call")
  void cancelledLater() {
    List<CompletableFuture<Decision>> calls = begun(ALONE + 3);
    transport.held.get(0).complete(ALLOWED);
    assertThat(transport.costs).isEqualTo(costs("1*2", "1"));
    calls.get(ALONE).cancel(true);
    transport.held.get(ALONE).complete(List.of(2L, 100L, 8L, 0L, 9L, 1L));
    transport.held.get(ALONE + 1).complete(List.of(0L, 100L, 0L, 77L, 9L, 1L));
    assertThat(calls.subList(ALONE + 1, ALONE + 3))
        .allSatisfy(call -> assertThat(call.join().enforced()).isTrue())
        .extracting(call -> call.join().remaining())
        .containsExactly(9L, 8L);
  }

  @Test
  @DisplayName("C5 a trip whose calls have all been cancelled is cancelled")
  void allCancelled() {
    List<CompletableFuture<Decision>> calls = begun(ALONE + 2);
    transport.held.get(0).complete(ALLOWED);
    calls.subList(ALONE, ALONE + 2).forEach(call -> call.cancel(true));
    assertThat(transport.held.subList(ALONE, ALONE + 2)).allMatch(CompletableFuture::isCancelled);
  }

  /** A transport that sends nothing, and whose stages the test completes. */
  private static final class HeldTransport implements ScriptTransport {
    private final List<CompletableFuture<@Nullable Object>> held = new ArrayList<>();
    private final List<String> costs = new ArrayList<>();

    void lose(int number) {
      held.get(number).completeExceptionally(new CompletionException(new EOFException("cut")));
    }

    @Override
    public CompletionStage<@Nullable Object> send(ScriptCall call) {
      CompletableFuture<@Nullable Object> made = new CompletableFuture<>();
      held.add(made);
      costs.add(new String(call.argument(0), StandardCharsets.US_ASCII));
      return made;
    }

    @Override
    public List<CompletionStage<@Nullable Object>> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(this::send).toList();
    }

    @Override
    public boolean ordersCalls() {
      return true;
    }

    @Override
    public Object node(ScriptCall call) {
      return "the server";
    }

    @Override
    public @Nullable TransportFailure failure(Throwable thrown) {
      return null;
    }

    @Override
    public CompletionStage<?> loadFunctions(String library) {
      throw new UnsupportedOperationException();
    }
  }
}
