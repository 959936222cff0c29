package io.github.penstock.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.engine.RecordedTransport.ServerError;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import io.github.penstock.core.spi.adapter.TransportRateLimiters;
import io.github.penstock.core.spi.connecting.ClientTransport;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.connecting.SuppliedTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which calls are sent while a node does not answer. */
class CircuitBreakerTest {
  private static final List<Long> ALLOWED = List.of(1L, 100L, 99L, 0L, 100_000L, 1L);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Limit LIMIT = TokenBucket.of(100).refill(1, Duration.ofSeconds(1));
  private static final NotSentException REFUSED =
      new NotSentException(new IllegalStateException("refused"));
  private final RecordedTransport transport = new RecordedTransport();
  private final List<String> heard = new ArrayList<>();
  private Runnable onCircuitOpened = () -> {};
  private final AsyncTransportRateLimiters limiters = limiters(OnUnavailable.ALLOW);
  private final RateLimiter limiter = limiters.limiter("api", LIMIT);
  private final AsyncRateLimiter async = limiters.asyncLimiter("api", LIMIT);

  @Test
  @DisplayName("F1 after five calls without an answer none for units is sent, however it is made")
  void opens() {
    lose();
    Decision allowed = limiter.tryAcquire("u");
    assertThat(allowed.source()).isEqualTo(DecisionSource.UNAVAILABLE);
    assertThat(limiter.tryAcquireUpTo("u", 3).units()).isEqualTo(3);
    assertThat(async.tryAcquire("u").toCompletableFuture().join().enforced()).isFalse();
    assertThat(limiter.tryAcquireAll(List.of("u", "v")))
        .extracting(outcome -> outcome.decision().source())
        .containsOnly(DecisionSource.UNAVAILABLE);
    List<Outcome> outcomes = async.tryAcquireAll(List.of("u", "v")).toCompletableFuture().join();
    assertThat(outcomes).allMatch(outcome -> outcome.decision().allowed());
    assertThat(transport.sent()).hasSize(5);
    assertThat(heard).containsExactly("opened one");
    assertThat(limiters.nearStatistics().openCircuits()).isEqualTo(1);
  }

  @Test
  @DisplayName("F1 peeks and refunds ask, and three answers close the circuit, whatever they say")
  void ends() {
    lose();
    transport.answers(ALLOWED, new ServerError("OOM command not allowed"), ALLOWED, ALLOWED);
    limiter.peek("u");
    assertThatThrownBy(() -> limiter.refund("u", 1)).isInstanceOf(OverloadedException.class);
    limiter.peek("u");
    assertThat(heard).containsExactly("opened one", "closed one");
    assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.SERVER);
  }

  @Test
  @Timeout(60)
  @DisplayName("F1 a reservation makes no other attempt where the circuit is open")
  void reservations() {
    lose();
    try (Reservation undecided =
        limiters
            .reservations("llm", Duration.ofHours(2))
            .reserve("u", EntryLimit.of("tpm", LIMIT).reserve())) {
      assertThat(undecided.answer().enforced()).isFalse();
    }
    assertThat(transport.sent()).hasSize(5);
  }

  @Test
  @DisplayName("F1 peeks that replicas answer neither open a circuit nor close it")
  void replicas() {
    RateLimiter reading =
        limiters(options(OnUnavailable.ALLOW, Duration.ofHours(1)).peekOnReplicas(true).build())
            .limiter("api", LIMIT);
    transport.goesTo("one");
    for (int i = 0; i < 9; i++) {
      transport.answers(REFUSED);
      assertThatThrownBy(() -> reading.peek("u")).hasMessageContaining("refused");
    }
    assertThat(heard).isEmpty();
    lose(reading);
    for (int i = 0; i < 9; i++) {
      transport.answers(ALLOWED);
      reading.peek("u");
    }
    assertThat(heard).containsExactly("opened one");
  }

  @Test
  @DisplayName("F1 after an answer the next two calls for units ask")
  void nextTwo() {
    lose();
    transport.answers(ALLOWED, ALLOWED, ALLOWED, ALLOWED);
    limiter.peek("u");
    for (int i = 0; i < 3; i++) {
      assertThat(async.tryAcquire("u").toCompletableFuture().join().enforced()).isTrue();
    }
    assertThat(heard).containsExactly("opened one", "closed one");
  }

  @Test
  @DisplayName(
      "F1 errors are answers: full memory, wrong passwords and refused scripts open no circuit")
  void errorsAreAnswers() {
    transport.goesTo("one");
    for (int i = 0; i < 9; i++) {
      transport.answers(new ServerError("OOM command not allowed"));
      limiter.tryAcquire("u");
    }
    NotSentException wrong = new NotSentException(new ServerError("WRONGPASS invalid password"));
    for (int i = 0; i < 9; i++) {
      transport.answers(wrong);
      assertThatThrownBy(() -> limiter.tryAcquire("u")).hasMessageContaining("WRONGPASS");
    }
    assertThat(transport.sent()).hasSize(18);
  }

  @Test
  @DisplayName("F1 another node is asked; where the node is not known there is no circuit")
  void otherNodes() {
    lose();
    transport.goesTo("two");
    transport.answers(ALLOWED);
    assertThat(limiter.tryAcquire("u").enforced()).isTrue();
    transport.goesTo(null);
    for (int i = 0; i < 9; i++) {
      transport.answers(REFUSED);
      limiter.tryAcquire("u");
    }
    assertThat(transport.sent()).hasSize(5 + 1 + 9);
  }

  @Test
  @DisplayName("F1 an answer of a node that has taken over closes the circuit of the other")
  void takenOver() {
    lose();
    CompletableFuture<Object> answer = new CompletableFuture<>();
    transport.answers(answer);
    CompletionStage<?> peek = async.peek("u");
    transport.goesTo("two");
    answer.complete(ALLOWED);
    assertThat(peek).isCompleted();
    assertThat(heard).containsExactly("opened one", "closed one");
    assertThat(limiters.nearStatistics().openCircuits()).isZero();
  }

  @Test
  @DisplayName(
      "F1 a circuit that was opened while there was no connection is closed when there is one")
  void firstConnection() {
    CompletableFuture<ClientTransport> connected = new CompletableFuture<>();
    RateLimiterOptions hurried =
        RateLimiterOptions.builder()
            .deadline(Duration.ofMinutes(1))
            .onUnavailable(OnUnavailable.ALLOW)
            .circuitBreaker(Duration.ofHours(1))
            .build();
    TransportRateLimiters starting =
        new TransportRateLimiters(
            new SuppliedTransport(connected::join, failure -> null, transport.time()),
            hurried,
            KnownPasswords.none(),
            () -> {},
            transport.time());
    RateLimiter first = starting.limiter("api", LIMIT);
    for (int i = 0; i < 6; i++) {
      assertThat(first.tryAcquire("u").enforced()).isFalse();
    }
    assertThat(starting.nearStatistics().openCircuits()).isEqualTo(1);
    transport.goesTo("one");
    transport.answers(ALLOWED);
    connected.complete(ClientTransport.of(transport, () -> true));
    while (!first.tryAcquire("u").enforced()) {
      assertThat(transport.sent()).isEmpty();
    }
  }

  @Test
  @DisplayName("F1 the circuit of a node that gets no calls any more is closed, with an event")
  void forgotten() {
    AsyncTransportRateLimiters brief = limiters(OnUnavailable.ALLOW, SECOND);
    RateLimiter losing = brief.limiter("api", LIMIT);
    lose(losing);
    transport.goesTo("two");
    while (heard.size() < 2) {
      transport.time().pass(SECOND);
      transport.answers(ALLOWED);
      assertThat(losing.tryAcquire("u").enforced()).isTrue();
    }
    assertThat(heard).containsExactly("opened one", "closed one");
    assertThat(brief.nearStatistics().openCircuits()).isZero();
  }

  @Test
  @DisplayName(
      "F1 a circuit that is closed while its opening is being reported is reported closed"
          + " afterwards")
  void inOrder() {
    onCircuitOpened =
        () -> {
          transport.answers(ALLOWED, ALLOWED, ALLOWED);
          CompletableFuture.runAsync(
                  () -> {
                    for (int i = 0; i < 3; i++) {
                      limiter.peek("u");
                    }
                  })
              .join();
        };
    lose();
    assertThat(heard).containsExactly("opened one", "closed one");
  }

  @Test
  @DisplayName("F1 calls throw at once where they were to throw")
  void throwing() {
    AsyncTransportRateLimiters strict = limiters(OnUnavailable.THROW);
    transport.goesTo("one");
    for (int i = 0; i < 5; i++) {
      transport.answers(REFUSED);
      assertThatThrownBy(() -> strict.limiter("api", LIMIT).tryAcquire("u"))
          .hasMessageContaining("refused");
    }
    assertThatThrownBy(() -> strict.limiter("api", LIMIT).tryAcquire("u"))
        .isInstanceOf(NoDecisionException.class)
        .hasMessageContaining("its node did not answer, and its circuit is open for a while");
    assertThatThrownBy(
            () -> strict.asyncLimiter("api", LIMIT).tryAcquire("u").toCompletableFuture().join())
        .hasCauseInstanceOf(NoDecisionException.class);
    assertThat(transport.sent()).hasSize(5);
  }

  private void lose() {
    lose(limiter);
  }

  private void lose(RateLimiter losing) {
    transport.goesTo("one");
    for (int i = 0; i < 5; i++) {
      transport.answers(REFUSED);
      losing.tryAcquire("u");
    }
  }

  private AsyncTransportRateLimiters limiters(OnUnavailable choice) {
    return limiters(choice, Duration.ofHours(1));
  }

  private AsyncTransportRateLimiters limiters(OnUnavailable choice, Duration open) {
    return limiters(options(choice, open).build());
  }

  private AsyncTransportRateLimiters limiters(RateLimiterOptions options) {
    return new AsyncTransportRateLimiters(
        transport, options, KnownPasswords.none(), () -> {}, transport.time());
  }

  private RateLimiterOptions.Builder options(OnUnavailable choice, Duration open) {
    RateLimitListener listener =
        new RateLimitListener() {
          @Override
          public void onDecision(
              LimiterCall call, AcquiredUnits acquired, RuntimeException cause) {}

          @Override
          public void onCircuitOpened(String node) {
            onCircuitOpened.run();
            heard.add("opened " + node);
          }

          @Override
          public void onCircuitClosed(String node) {
            heard.add("closed " + node);
          }
        };
    return RateLimiterOptions.builder()
        .deadline(Duration.ofHours(1))
        .onUnavailable(choice)
        .circuitBreaker(open)
        .listener(listener);
  }
}
