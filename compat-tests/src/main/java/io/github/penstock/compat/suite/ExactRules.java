package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.compat.script.ScriptReply;
import io.github.penstock.compat.script.TimedKey;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** More of the rules one by one: counts, clocks, refunds, functions. */
abstract class ExactRules extends TimedRules {
  ExactRules(ScriptAlgorithm algorithm) {
    super(algorithm);
  }

  @Test
  @DisplayName("P7 as many units as there are, and not one more")
  void exactCount() {
    TimedKey key = key();
    for (long left = LIMIT - 1; left >= 0; left--) {
      assertThat(key.call(1, 0))
          .extracting(ScriptReply::allowed, ScriptReply::remaining)
          .containsExactly(true, left);
    }
    assertThat(key.call(1, 0).allowed()).isFalse();
  }

  @Test
  @DisplayName("P7 what comes back comes back exactly, however often")
  void noDrift() {
    TimedKey key = key();
    key.call(LIMIT, 0);
    long nowUs = 0;
    long step =
        switch (algorithm) {
          case FIXED_WINDOW, SLIDING_WINDOW -> LIMIT;
          case INTERVAL_BUCKET -> UNITS;
          case TOKEN_BUCKET, LEAKY_BUCKET -> 1;
        };
    for (int i = 0; i < 20 * UNITS; i++) {
      nowUs += key.call(step, nowUs).waitUs();
      assertThat(key.call(step, nowUs).allowed()).as("call %d at %d", i, nowUs).isTrue();
    }
    long expectedUs =
        switch (algorithm) {
          case FIXED_WINDOW, SLIDING_WINDOW -> 20 * UNITS * fullUs();
          case INTERVAL_BUCKET -> 20 * UNITS * PERIOD_US;
          case TOKEN_BUCKET, LEAKY_BUCKET -> 20 * PERIOD_US;
        };
    assertThat(nowUs).as("time of the last call").isEqualTo(expectedUs);
  }

  @Test
  @DisplayName("P9 a clock that steps back admits no more and locks no longer than once full")
  void clockStepsBack() {
    TimedKey key = key();
    long hourUs = 3_600_000_000L;
    key.call(LIMIT, 0);
    ScriptReply denied = key.call(LIMIT, -hourUs);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.waitUs()).isLessThanOrEqualTo(fullUs());
    assertThat(key.call(LIMIT, -hourUs + fullUs()).allowed()).isTrue();
  }

  @Test
  @DisplayName("P10 a refund gives back at most what is used, and creates no key")
  void refunds() {
    TimedKey key = key();
    assertThat(key.call(-5, 0).remaining()).isEqualTo(LIMIT);
    assertThat(key.stored()).as("after a refund of nothing").isNull();
    key.call(3, 0);
    assertThat(key.call(-1, 0).remaining()).isEqualTo(LIMIT - 2);
    assertThat(key.call(-1_000_000_000_000L, 0).remaining()).isEqualTo(LIMIT);
    assertThat(key.stored()).as("after a refund of everything").isNull();
    assertThat(key.call(LIMIT + 1, 0).allowed()).isFalse();
  }

  @Test
  @DisplayName("P11 functions answer and store what scripts do")
  void functionsAreAlike() {
    try (RateLimiters limiters = trial().connectForFunctions()) {
      limiters.loadFunctions();
      String tiers = LimitSetting.tier(algorithm, LIMIT, UNITS, PERIOD_US);
      TimedKey byFunction =
          new TimedKey(
              trial().scripts(limiters, AdapterTrial.WITH_FUNCTIONS),
              trial().server(),
              algorithm,
              tiers);
      TimedKey byScript = key();
      for (long cost : new long[] {1, 6, 0, 4, -2, 5, -100}) {
        assertThat(byFunction.reply(cost, cost)).isEqualTo(byScript.reply(cost, cost));
        assertThat(byFunction.stored()).isEqualTo(byScript.stored());
      }
    }
  }
}
