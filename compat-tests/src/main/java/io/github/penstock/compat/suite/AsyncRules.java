package io.github.penstock.compat.suite;

import static io.github.penstock.compat.load.AsyncResults.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.compat.load.AsyncResults;
import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.load.ConcurrentRun;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Limiters that answer with stages. */
abstract class AsyncRules extends SuiteRules {
  private static final int FLOOD = 10_000;
  private static final int WAITING = 64;

  private AsyncRateLimiter limiter(long limit) {
    return trial()
        .async()
        .asyncLimiter(
            AdapterTrial.unique(), LimitSetting.lasting(ScriptAlgorithm.TOKEN_BUCKET, limit));
  }

  @Test
  @DisplayName("the verbs do what the blocking ones do")
  void verbs() {
    AsyncRateLimiter limiter = limiter(10);
    assertThat(value(limiter.tryAcquire("one")).remaining()).isEqualTo(9);
    assertThat(value(limiter.tryAcquire("one", 6)).remaining()).isEqualTo(3);
    assertThat(value(limiter.tryAcquire("one", 4)).allowed()).isFalse();
    assertThat(value(limiter.peek("one")).remaining()).isEqualTo(3);
    assertThat(value(limiter.refund("one", 2)).remaining()).isEqualTo(5);
    assertThat(value(limiter.reset("one")).remaining()).isEqualTo(10);
    assertThat(value(limiter.tryAcquireUpTo("one", 7)).units()).isEqualTo(7);
    assertThat(value(limiter.tryAcquireUpTo("one", 7)).units()).isEqualTo(3);
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquireUpTo("one", 0));
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire("one", 0));
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire(""));
  }

  @Test
  @DisplayName("P7 64 threads on one key are admitted exactly the limit")
  void exactUnderConcurrency() throws Exception {
    AsyncRateLimiter limiter = limiter(500);
    List<CompletionStage<Decision>> stages =
        ConcurrentRun.each(64, 20, (thread, call) -> limiter.tryAcquire("one"));
    assertThat(stages.stream().filter(stage -> value(stage).allowed()).count()).isEqualTo(500);
  }

  @LoadTest
  @Test
  @DisplayName("a flood is decided or refused, and what is refused is not charged")
  void flood() {
    String policy = AdapterTrial.unique();
    AsyncRateLimiter limiter = trial().async().asyncLimiter(policy, ChargeCount.LIMIT);
    List<CompletableFuture<Decision>> stages = new ArrayList<>();
    for (int i = 0; i < FLOOD; i++) {
      stages.add(limiter.tryAcquire("one").toCompletableFuture());
    }
    int decided = 0;
    int unknown = 0;
    for (CompletableFuture<Decision> stage : stages) {
      try {
        value(stage);
        decided++;
      } catch (RuntimeException failure) {
        unknown += failure instanceof MayHaveBeenChargedException ? 1 : 0;
      }
    }
    long charged = 1_000_000_000 - value(limiter.peek("one")).remaining();
    assertThat(decided).as("decided of %d", FLOOD).isPositive();
    assertThat(charged).isBetween((long) decided, (long) decided + unknown);
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("64 stages that wait get a unit each, with at most three calls each, and their turn")
  void waiting() {
    AtomicInteger asked = new AtomicInteger();
    RateLimiterOptions counting =
        AdapterTrial.OPTIONS.toBuilder()
            .listener((call, acquired, cause) -> asked.incrementAndGet())
            .build();
    try (RateLimiters limiters = trial().connect(counting)) {
      AsyncRateLimiter limiter =
          AdapterTrial.async(suite(), limiters)
              .asyncLimiter(
                  AdapterTrial.unique(), LeakyBucket.of(2).leak(1, Duration.ofMillis(10)));
      List<CompletionStage<Decision>> stages = new ArrayList<>();
      for (int i = 0; i < WAITING; i++) {
        stages.add(limiter.acquire("one", 1, Duration.ofMinutes(10)));
      }
      assertThat(stages)
          .extracting(AsyncResults::value)
          .allMatch(decision -> decision.allowed() && decision.delay().isZero());
      assertThat(asked.get()).isBetween(WAITING, 3 * WAITING);
      assertThat(value(limiter.acquire("one", 3, Duration.ofMinutes(10))).impossible()).isTrue();
      assertThat(asked.get()).isLessThanOrEqualTo(3 * WAITING + 1);
    }
  }
}
