package io.github.penstock.core.engine;

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
import io.github.penstock.core.connect.ClientPort;
import io.github.penstock.core.connect.SuppliedPort;
import io.github.penstock.core.engine.RecordedPort.ServerError;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which calls are sent while a node does not answer. */
class PausingLimiterTest {
  private static final List<Long> ALLOWED = List.of(1L, 100L, 99L, 0L, 100_000L, 1L);
  private static final Limit LIMIT = TokenBucket.of(100).refill(1, Duration.ofSeconds(1));
  private static final NotSentException REFUSED =
      new NotSentException(new IllegalStateException("refused"));
  private final RecordedPort port = new RecordedPort();
  private final List<String> heard = new ArrayList<>();
  private Runnable onPause = () -> {};
  private final AsyncPortRateLimiters limiters = limiters(OnUnavailable.ALLOW);
  private final RateLimiter limiter = limiters.limiter("api", LIMIT);
  private final AsyncRateLimiter async = limiters.asyncLimiter("api", LIMIT);

  @Test
  @DisplayName("F1 after five calls without an answer none for units is sent, however it is made")
  void pauses() {
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
    assertThat(port.sent()).hasSize(5);
    assertThat(heard).containsExactly("paused one");
    assertThat(limiters.nearStatistics().pausedNodes()).isEqualTo(1);
  }

  @Test
  @DisplayName("F1 peeks and refunds ask, and three answers end the pause, whatever they say")
  void ends() {
    lose();
    port.answers(ALLOWED, new ServerError("OOM command not allowed"), ALLOWED, ALLOWED);
    limiter.peek("u");
    assertThatThrownBy(() -> limiter.refund("u", 1)).isInstanceOf(OverloadedException.class);
    limiter.peek("u");
    assertThat(heard).containsExactly("paused one", "asked one");
    assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.SERVER);
  }

  @Test
  @DisplayName("F1 after an answer the next two calls for units ask")
  void nextTwo() {
    lose();
    port.answers(ALLOWED, ALLOWED, ALLOWED, ALLOWED);
    limiter.peek("u");
    for (int i = 0; i < 3; i++) {
      assertThat(async.tryAcquire("u").toCompletableFuture().join().enforced()).isTrue();
    }
    assertThat(heard).containsExactly("paused one", "asked one");
  }

  @Test
  @DisplayName(
      "F1 errors are answers: full memory, wrong passwords and refused scripts begin no pause")
  void errorsAreAnswers() {
    port.goesTo("one");
    for (int i = 0; i < 9; i++) {
      port.answers(new ServerError("OOM command not allowed"));
      limiter.tryAcquire("u");
    }
    NotSentException wrong = new NotSentException(new ServerError("WRONGPASS invalid password"));
    for (int i = 0; i < 9; i++) {
      port.answers(wrong);
      assertThatThrownBy(() -> limiter.tryAcquire("u")).hasMessageContaining("WRONGPASS");
    }
    assertThat(port.sent()).hasSize(18);
  }

  @Test
  @DisplayName("F1 another node is asked; where the node is not known there is no pause")
  void otherNodes() {
    lose();
    port.goesTo("two");
    port.answers(ALLOWED);
    assertThat(limiter.tryAcquire("u").enforced()).isTrue();
    port.goesTo(null);
    for (int i = 0; i < 9; i++) {
      port.answers(REFUSED);
      limiter.tryAcquire("u");
    }
    assertThat(port.sent()).hasSize(5 + 1 + 9);
  }

  @Test
  @DisplayName("F1 an answer of a node that has taken over ends the pause of the other")
  void takenOver() {
    lose();
    CompletableFuture<Object> answer = new CompletableFuture<>();
    port.answers(answer);
    CompletionStage<?> peek = async.peek("u");
    port.goesTo("two");
    answer.complete(ALLOWED);
    assertThat(peek).isCompleted();
    assertThat(heard).containsExactly("paused one", "asked one");
    assertThat(limiters.nearStatistics().pausedNodes()).isZero();
  }

  @Test
  @DisplayName("F1 a pause that began while there was no connection ends when there is one")
  void firstConnection() {
    CompletableFuture<ClientPort<ScriptPort>> connected = new CompletableFuture<>();
    RateLimiterOptions hurried =
        RateLimiterOptions.builder()
            .deadline(Duration.ofMillis(5))
            .onUnavailable(OnUnavailable.ALLOW)
            .pauseWhenUnavailable(Duration.ofHours(1))
            .build();
    PortRateLimiters starting =
        new PortRateLimiters(new SuppliedPort(connected::join, failure -> null), hurried, () -> {});
    RateLimiter first = starting.limiter("api", LIMIT);
    for (int i = 0; i < 6; i++) {
      assertThat(first.tryAcquire("u").enforced()).isFalse();
    }
    assertThat(starting.nearStatistics().pausedNodes()).isEqualTo(1);
    port.goesTo("one");
    port.answers(ALLOWED);
    connected.complete(ClientPort.of(port, () -> true));
    while (!first.tryAcquire("u").enforced()) {
      assertThat(port.sent()).isEmpty();
    }
  }

  @Test
  @DisplayName("F1 the pause of a node that nobody asks any more ends, and is told")
  void forgotten() {
    AsyncPortRateLimiters brief = limiters(OnUnavailable.ALLOW, Duration.ofMillis(10));
    RateLimiter losing = brief.limiter("api", LIMIT);
    lose(losing);
    port.goesTo("two");
    while (heard.size() < 2) {
      port.answers(ALLOWED);
      assertThat(losing.tryAcquire("u").enforced()).isTrue();
    }
    assertThat(heard).containsExactly("paused one", "asked one");
    assertThat(brief.nearStatistics().pausedNodes()).isZero();
  }

  @Test
  @DisplayName(
      "F1 a pause that ends while its beginning is being reported is reported to end afterwards")
  void inOrder() {
    onPause =
        () -> {
          port.answers(ALLOWED, ALLOWED, ALLOWED);
          CompletableFuture.runAsync(
                  () -> {
                    for (int i = 0; i < 3; i++) {
                      limiter.peek("u");
                    }
                  })
              .join();
        };
    lose();
    assertThat(heard).containsExactly("paused one", "asked one");
  }

  @Test
  @DisplayName("F1 calls throw at once where they were to throw")
  void throwing() {
    AsyncPortRateLimiters strict = limiters(OnUnavailable.THROW);
    port.goesTo("one");
    for (int i = 0; i < 5; i++) {
      port.answers(REFUSED);
      assertThatThrownBy(() -> strict.limiter("api", LIMIT).tryAcquire("u"))
          .hasMessageContaining("refused");
    }
    assertThatThrownBy(() -> strict.limiter("api", LIMIT).tryAcquire("u"))
        .isInstanceOf(NoDecisionException.class)
        .hasMessageContaining("its node did not answer, and is left alone for a while");
    assertThatThrownBy(
            () -> strict.asyncLimiter("api", LIMIT).tryAcquire("u").toCompletableFuture().join())
        .hasCauseInstanceOf(NoDecisionException.class);
    assertThat(port.sent()).hasSize(5);
  }

  private void lose() {
    lose(limiter);
  }

  private void lose(RateLimiter losing) {
    port.goesTo("one");
    for (int i = 0; i < 5; i++) {
      port.answers(REFUSED);
      losing.tryAcquire("u");
    }
  }

  private AsyncPortRateLimiters limiters(OnUnavailable choice) {
    return limiters(choice, Duration.ofHours(1));
  }

  private AsyncPortRateLimiters limiters(OnUnavailable choice, Duration pause) {
    RateLimitListener listener =
        new RateLimitListener() {
          @Override
          public void onDecision(
              LimiterCall call, AcquiredUnits acquired, RuntimeException cause) {}

          @Override
          public void onPause(String node) {
            onPause.run();
            heard.add("paused " + node);
          }

          @Override
          public void onPauseEnd(String node) {
            heard.add("asked " + node);
          }
        };
    RateLimiterOptions options =
        RateLimiterOptions.builder()
            .deadline(Duration.ofHours(1))
            .onUnavailable(choice)
            .pauseWhenUnavailable(pause)
            .listener(listener)
            .build();
    return new AsyncPortRateLimiters(port.asynchronous(), options, () -> {});
  }
}
