package io.github.penstock.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which calls are sent and which are answered without, of denials that are remembered. */
class AnswersWithoutTripTest {
  private static final List<Long> ALLOWED = List.of(1L, 100L, 99L, 0L, 100_000L, 1L);
  private static final List<Long> DENIED = List.of(0L, 100L, 0L, 50_000_000L, 60_000_000L, 1L);
  private static final Limit LIMIT = TokenBucket.of(100).refill(1, Duration.ofSeconds(1));
  private final RecordedTransport transport = new RecordedTransport();
  private final List<DecisionSource> heard = new ArrayList<>();
  private final RateLimiterOptions options =
      RateLimiterOptions.builder()
          .deadline(Duration.ofMinutes(1))
          .rememberDenials(Duration.ofMinutes(1))
          .listener((call, acquired, cause) -> heard.add(acquired.decision().source()))
          .build();
  private final AsyncTransportRateLimiters limiters = limiters(options);
  private final RateLimiter limiter = limiters.limiter("api", LIMIT);
  private final AsyncRateLimiter async = limiters.asyncLimiter("api", LIMIT);

  @Test
  @DisplayName("N1 a denial is repeated without a trip, blocking, asynchronously and in a batch")
  void toldAgain() {
    transport.answers(DENIED, ALLOWED);
    assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.SERVER);
    Decision again = limiter.tryAcquire("u");
    assertThat(again.source()).isEqualTo(DecisionSource.REMEMBERED);
    assertThat(limiters.nearStatistics()).isEqualTo(new NearStatistics(1, 0, 0, 0, 0, 0, 0));
    assertThat(again.enforced()).isTrue();
    assertThat(again.waitMicros()).isBetween(1L, 50_000_000L);
    assertThat(async.tryAcquire("u", 2).toCompletableFuture().join().source())
        .isEqualTo(DecisionSource.REMEMBERED);
    assertThat(async.tryAcquireUpTo("u", 7).toCompletableFuture().join().units()).isZero();
    AcquiredUnits none = limiter.tryAcquireUpTo("u", 7);
    assertThat(none.decision().source()).isEqualTo(DecisionSource.REMEMBERED);
    List<Outcome> outcomes = limiter.tryAcquireAll(List.of("u", "v", "u"));
    assertThat(outcomes)
        .extracting(outcome -> outcome.decision().source())
        .containsExactly(
            DecisionSource.REMEMBERED, DecisionSource.SERVER, DecisionSource.REMEMBERED);
    assertThat(transport.sent()).hasSize(2);
    assertThat(heard).hasSize(8).filteredOn(DecisionSource.SERVER::equals).hasSize(2);
  }

  @Test
  @DisplayName(
      "N1 a denial is remembered from batches, asynchronous calls and calls for up to so many")
  void remembers() {
    transport.answers(DENIED, DENIED, DENIED);
    async.tryAcquireUpTo("u", 7);
    limiter.tryAcquireEach(List.of(new SubjectCost("v", 3)));
    async.tryAcquire("w", 5);
    assertThat(limiter.tryAcquire("u").allowed()).isFalse();
    assertThat(limiter.tryAcquire("v", 3).allowed()).isFalse();
    assertThat(limiter.tryAcquire("w", 100).allowed()).isFalse();
    assertThat(transport.sent()).hasSize(3);
    transport.answers(ALLOWED, ALLOWED);
    assertThat(limiter.tryAcquire("v", 2).allowed()).isTrue();
    assertThat(limiter.tryAcquire("w", 4).allowed()).as("5 denied, 4 asked").isTrue();
  }

  @Test
  @DisplayName("N1 a raised limit of a window, another policy and another subject ask")
  void othersAsk() {
    transport.answers(DENIED, ALLOWED, ALLOWED, ALLOWED);
    Limit window = FixedWindow.of(50, Duration.ofSeconds(60));
    limiters.limiter("api", window).tryAcquire("u");
    limiters.limiter("api", FixedWindow.of(100, Duration.ofSeconds(60))).tryAcquire("u");
    limiters.limiter("other", window).tryAcquire("u");
    limiters.limiter("api", window).tryAcquire("v");
    assertThat(transport.sent()).hasSize(4);
  }

  @Test
  @DisplayName("N4 peeks and refunds always ask")
  void peeksAsk() {
    transport.answers(DENIED, ALLOWED, ALLOWED);
    limiter.tryAcquire("u");
    limiter.peek("u");
    limiter.refund("v", 1);
    assertThat(transport.sent()).hasSize(3);
  }

  @Test
  @DisplayName("N5 a refund forgets the key, under whatever script and however it ends")
  void refundForgets() {
    transport.answers(DENIED, ALLOWED, DENIED);
    limiter.tryAcquire("u");
    Limit shared = LeakyBucket.of(100).leak(1, Duration.ofSeconds(1));
    limiters.limiter("api", shared).refund("u", 1);
    limiter.tryAcquire("u");
    assertThat(transport.sent()).hasSize(3);
    transport.answers(new IllegalStateException("connection reset"), DENIED, ALLOWED, ALLOWED);
    assertThatThrownBy(() -> limiter.refund("u", 1)).hasMessageContaining("connection reset");
    limiter.tryAcquire("u");
    async.reset("u");
    assertThat(limiter.tryAcquire("u").allowed()).isTrue();
  }

  @Test
  @DisplayName(
      "N5 a denial is not remembered whose call overlaps a refund, also one that was cancelled")
  void overlapping() {
    CompletableFuture<Object> asked = new CompletableFuture<>();
    transport.answers(asked, ALLOWED, ALLOWED);
    CompletableFuture<Decision> denied = async.tryAcquire("u").toCompletableFuture();
    async.refund("u", 1);
    asked.complete(DENIED);
    assertThat(denied.join().allowed()).isFalse();
    assertThat(limiter.tryAcquire("u").allowed()).isTrue();
    CompletableFuture<Object> refunding = new CompletableFuture<>();
    transport.answers(refunding, DENIED, ALLOWED);
    CompletableFuture<?> refund = async.refund("u", 1).toCompletableFuture();
    assertThat(limiter.tryAcquire("u").allowed()).isFalse();
    refund.cancel(true);
    assertThat(limiter.tryAcquire("u").allowed()).isTrue();
  }

  @Test
  @DisplayName(
      "N5 while a refund is on its way what was denied before is not told, nor afterwards what was"
          + " denied meanwhile")
  void onItsWay() {
    for (boolean lost : new boolean[] {false, true}) {
      CompletableFuture<Object> refunding = new CompletableFuture<>();
      transport.answers(DENIED, refunding, DENIED, ALLOWED);
      limiter.tryAcquire("u");
      CompletableFuture<?> refund = async.refund("u", 1).toCompletableFuture();
      assertThat(limiter.tryAcquire("u").source()).isEqualTo(DecisionSource.SERVER);
      if (lost) {
        refunding.completeExceptionally(new IllegalStateException("connection reset"));
      } else {
        refunding.complete(ALLOWED);
      }
      assertThat(refund.isCompletedExceptionally()).isEqualTo(lost);
      assertThat(limiter.tryAcquire("u").allowed()).isTrue();
    }
  }

  @Test
  @DisplayName("N6 what is remembered belongs to the limiters, not to a limiter")
  void limiterPerRequest() {
    transport.answers(DENIED);
    for (int i = 0; i < 5; i++) {
      Limit fresh = TokenBucket.of(100).refill(1, Duration.ofSeconds(1));
      assertThat(limiters.limiter("api", fresh).tryAcquire("u").allowed()).isFalse();
    }
    assertThat(transport.sent()).hasSize(1);
  }

  @Test
  @DisplayName("N1 what was decided without the server is not remembered; zero switches it off")
  void notRemembered() {
    NotSentException refused = new NotSentException(new IllegalStateException("refused"));
    transport.answers(refused, ALLOWED, DENIED, ALLOWED);
    RateLimiter denying =
        limiters(options.toBuilder().onUnavailable(OnUnavailable.DENY).build())
            .limiter("api", LIMIT);
    assertThat(denying.tryAcquire("u").source()).isEqualTo(DecisionSource.UNAVAILABLE);
    assertThat(denying.tryAcquire("u").allowed()).isTrue();
    RateLimiter asking =
        limiters(options.toBuilder().rememberDenials(Duration.ZERO).build()).limiter("api", LIMIT);
    assertThat(asking.tryAcquire("v").allowed()).isFalse();
    assertThat(asking.tryAcquire("v").allowed()).isTrue();
  }

  private AsyncTransportRateLimiters limiters(RateLimiterOptions chosen) {
    return new AsyncTransportRateLimiters(transport, chosen, () -> {});
  }
}
