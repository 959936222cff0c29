package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.ConcurrentRun;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.server.ServerInterval;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two clients that know nothing of each other, on one key. */
abstract class SharingRules extends SuiteRules {
  private static final int WAITING = 64;

  /* One before it waits, one that learns how long, one that is admitted; and one for the other client. */
  private static final int MOST_CALLS = 4;

  @Test
  @DisplayName("P11 what one client takes is gone for the other, and what it gives back is there")
  void oneKey() {
    try (RateLimiters other = trial().connectOther(AdapterTrial.OPTIONS)) {
      for (ScriptAlgorithm algorithm : ScriptAlgorithm.values()) {
        String policy = AdapterTrial.unique();
        Limit limit = LimitSetting.lasting(algorithm, 10);
        RateLimiter here = trial().limiters().limiter(policy, limit);
        RateLimiter there = other.limiter(policy, limit);
        assertThat(here.tryAcquire("{é}\0", 4).remaining()).isEqualTo(6);
        assertThat(there.tryAcquire("{é}\0", 3).remaining()).isEqualTo(3);
        assertThat(here.tryAcquire("{é}\0", 4).allowed()).isFalse();
        assertThat(there.refund("{é}\0", 2).remaining()).isEqualTo(5);
        assertThat(here.tryAcquire("{é}\0", 4).remaining()).isEqualTo(1);
      }
    }
  }

  @Test
  @DisplayName("P7 64 threads of two clients on one key are admitted exactly the limit")
  void exactTogether() throws Exception {
    String policy = AdapterTrial.unique();
    Limit limit = LimitSetting.lasting(ScriptAlgorithm.TOKEN_BUCKET, 500);
    try (RateLimiters other = trial().connectOther(AdapterTrial.OPTIONS)) {
      RateLimiter here = trial().limiters().limiter(policy, limit);
      RateLimiter there = other.limiter(policy, limit);
      List<Boolean> admitted =
          ConcurrentRun.each(
              64,
              20,
              (thread, call) -> (thread % 2 == 0 ? here : there).tryAcquire("one").allowed());
      assertThat(Collections.frequency(admitted, true)).isEqualTo(500);
    }
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("64 threads of two clients that wait get a unit each, with few calls")
  void waiting() throws Exception {
    String policy = AdapterTrial.unique();
    Limit limit = TokenBucket.of(1).refill(1, Duration.ofMillis(10));
    AtomicInteger asked = new AtomicInteger();
    RateLimiterOptions counting =
        AdapterTrial.OPTIONS.toBuilder()
            .listener((call, acquired, cause) -> asked.incrementAndGet())
            .build();
    try (RateLimiters mine = trial().connect(counting);
        RateLimiters other = trial().connectOther(counting)) {
      RateLimiter here = mine.limiter(policy, limit);
      RateLimiter there = other.limiter(policy, limit);
      ServerInterval interval = ServerInterval.begin(trial().deployment().masters().get(0));
      Duration patience = Duration.ofMinutes(10);
      assertThat(
              ConcurrentRun.each(
                  WAITING,
                  1,
                  (thread, call) ->
                      (thread % 2 == 0 ? here : there).acquire("one", 1, patience).allowed()))
          .containsOnly(true);
      assertThat(interval.elapsed()).isGreaterThan(Duration.ofMillis(10 * (WAITING - 1) - 1));
    }
    assertThat(asked.get()).as("calls of %d", WAITING).isBetween(WAITING, MOST_CALLS * WAITING);
  }
}
