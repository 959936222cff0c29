package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.compat.script.ScriptReply;
import io.github.penstock.compat.script.TimedKey;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** More of the rules one by one: counts, clocks, refunds, functions. */
abstract class ExactRules extends TimedRules {
  ExactRules(ScriptAlgorithm algorithm) {
    super(algorithm);
  }

  @Tag(LoadTest.ONCE)
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

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("P7 of several calls as many as fit are charged, and their number is answered")
  void severalCalls() {
    TimedKey key = key();
    assertThat(key.reply("3*2", 0)).startsWith(2L, LIMIT, LIMIT - 6);
    assertThat(key.reply("3*64", 0)).startsWith(1L, LIMIT, LIMIT - 9);
    String stored = key.stored();
    List<Long> denied = key.reply("3*64", 0);
    assertThat(denied).startsWith(0L, LIMIT, LIMIT - 9);
    assertThat(key.stored()).as("state after a denial").isEqualTo(stored);
    assertThat(key.reply("3*64", denied.get(3) - 1).get(0)).as("too early").isZero();
    assertThat(key.reply("3*64", denied.get(3)).get(0)).as("after the wait").isPositive();
    assertThat(key.reply("11*64", 0)).as("wait for more than the limit").contains(-1L);
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("P4 several calls are charged on all tiers alike")
  void severalCallsOnAllTiers() {
    String tiers = LimitSetting.tier(algorithm, LIMIT, UNITS, PERIOD_US);
    tiers += " " + LimitSetting.tier(algorithm, 3, 1, 60_000_000);
    TimedKey together = key(tiers);
    List<Long> reply = together.reply("1*64", 0);
    assertThat(reply).startsWith(3L, 3L, 0L).endsWith(2L);
    TimedKey atOnce = key(tiers);
    atOnce.call(3, 0);
    assertThat(together.stored()).isEqualTo(atOnce.stored());
    assertThat(together.reply("1*64", 0).get(0)).isZero();
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("P7 what comes back comes back exactly, however often")
  void noDrift() {
    TimedKey key = key();
    key.call(LIMIT, 0);
    long nowUs = 0;
    long step =
        switch (LimitSetting.kind(algorithm).refill()) {
          case AT_END, FADING -> LIMIT;
          case IN_BATCHES -> UNITS;
          case EVENLY -> 1;
        };
    for (int i = 0; i < 20 * UNITS; i++) {
      nowUs += key.call(step, nowUs).waitUs();
      assertThat(key.call(step, nowUs).allowed()).as("call %d at %d", i, nowUs).isTrue();
    }
    long expectedUs =
        switch (LimitSetting.kind(algorithm).refill()) {
          case AT_END, FADING -> 20 * UNITS * fullUs();
          case IN_BATCHES -> 20 * UNITS * PERIOD_US;
          case EVENLY -> 20 * PERIOD_US;
        };
    assertThat(nowUs).as("time of the last call").isEqualTo(expectedUs);
  }

  @Tag(LoadTest.ONCE)
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

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("P10 a refund gives back at most what is used, and creates no key")
  void refunds() {
    TimedKey key = key();
    assertThat(key.call(-5, 0).remaining()).isEqualTo(LIMIT);
    assertThat(key.stored()).as("after a refund of nothing").isNull();
    key.call(3, 0);
    assertThat(key.call(-1, 0).remaining()).isEqualTo(LIMIT - 2);
    assertThat(key.call(-Limit.MAX_UNITS, 0).remaining()).isEqualTo(LIMIT);
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
      assertThat(byFunction.reply("2*64", 0)).isEqualTo(byScript.reply("2*64", 0));
      assertThat(byFunction.stored()).isEqualTo(byScript.stored());
    }
  }
}
