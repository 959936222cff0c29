package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.compat.script.ScriptReply;
import io.github.penstock.compat.script.TimedKey;
import io.github.penstock.compat.script.WrongArguments;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.model.ProtocolBounds;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.ServerClock;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rules of the protocol one by one, with the time of every call given. */
abstract class TimedRules extends LimiterRules {
  /** 10 units, and where there is a rate, 7 every 3 s. */
  static final long LIMIT = 10;

  static final long PERIOD_US = 3_000_000;
  static final long UNITS = 7;

  TimedRules(ScriptAlgorithm algorithm) {
    super(algorithm);
  }

  @Override
  protected final RateLimiters limiters() {
    return trial().limiters();
  }

  final TimedKey key() {
    return key(LimitSetting.tier(algorithm, LIMIT, UNITS, PERIOD_US));
  }

  final TimedKey key(String tiers) {
    return new TimedKey(trial().scripts(), trial().server(), algorithm, tiers);
  }

  /** Until everything that one tier holds is free again, rounded up. */
  final long fullUs() {
    return fullUs(LIMIT, UNITS, PERIOD_US);
  }

  private long fullUs(long limit, long units, long periodUs) {
    return algorithm.fullUs(LimitSetting.numbers(algorithm, limit, units, periodUs));
  }

  static long ceil(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("P1 a reply is six integers within their bounds")
  void sixIntegers() {
    TimedKey key = key();
    for (long cost : new long[] {0, 3, 7, 1, LIMIT + 1, -2, -Limit.MAX_UNITS}) {
      List<Long> reply = key.reply(cost, 0);
      assertThat(reply).as("cost %d", cost).hasSize(6);
      assertThat(reply.get(0)).isBetween(0L, 1L);
      assertThat(reply.get(1)).isEqualTo(LIMIT);
      assertThat(reply.get(2)).isBetween(0L, LIMIT);
      assertThat(reply.get(3)).isBetween(-1L, fullUs());
      assertThat(reply.get(4)).isBetween(0L, fullUs());
      assertThat(reply.get(5)).isEqualTo(1);
    }
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("P2 a peek and a denied call write nothing")
  void peekAndDenialWriteNothing() {
    TimedKey key = key();
    key.call(0, 0);
    assertThat(key.stored()).as("after a peek").isNull();
    key.call(LIMIT, 0);
    String stored = key.stored();
    key.mark();
    key.call(0, 1);
    assertThat(key.isWritten()).as("written by a peek").isFalse();
    assertThat(key.call(1, 1).allowed()).isFalse();
    assertThat(key.call(LIMIT + 1, 1).allowed()).isFalse();
    assertThat(key.isWritten()).as("written by a denied call").isFalse();
    assertThat(key.stored()).isEqualTo(stored);
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("P3 waiting exactly the wait is enough")
  void waitingTheWaitIsEnough() {
    for (long cost = 1; cost <= LIMIT; cost++) {
      TimedKey key = key();
      key.call(LIMIT, 0);
      long askedUs = 100_001 * cost;
      ScriptReply denied = key.call(cost, askedUs);
      assertThat(denied.allowed()).as("cost %d at %d", cost, askedUs).isFalse();
      assertThat(denied.waitUs()).as("wait for cost %d", cost).isPositive();
      assertThat(key.call(cost, askedUs + denied.waitUs() - 1).allowed())
          .as("cost %d, 1 us before the wait of %d is over", cost, denied.waitUs())
          .isFalse();
      assertThat(key.call(cost, askedUs + denied.waitUs()).allowed())
          .as("cost %d, when the wait of %d is over", cost, denied.waitUs())
          .isTrue();
    }
    assertThat(key().call(LIMIT + 1, 0).waitUs()).as("wait for more than the limit").isEqualTo(-1);
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("P4 all tiers are charged, or none")
  void allTiersOrNone() {
    String small = LimitSetting.tier(algorithm, 3, 1, 60_000_000);
    TimedKey key = key(LimitSetting.tier(algorithm, LIMIT, UNITS, PERIOD_US) + " " + small);
    assertThat(key.call(3, 0))
        .extracting(ScriptReply::allowed, ScriptReply::tier)
        .containsExactly(true, 2L);
    ScriptReply denied = key.call(1, 0);
    assertThat(denied.allowed()).as("allowed beyond the second tier").isFalse();
    assertThat(denied.tier()).as("the tier that denies").isEqualTo(2);
    assertThat(key.call(1, fullUs(3, 1, 60_000_000)).allowed()).isTrue();
    String both = LimitSetting.tier(algorithm, 3, 1, 60_000_000) + " ";
    TimedKey turned = key(both + LimitSetting.tier(algorithm, LIMIT, UNITS, 60_000_000));
    turned.call(3, 0);
    turned.call(1, 0);
    String stored = String.valueOf(turned.stored());
    turned.call(2, 0);
    assertThat(turned.stored()).as("state after two denials").isEqualTo(stored);
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("P5 what is written has a time to live that ends with the state")
  void alwaysWithTimeToLive() {
    TimedKey key = key();
    for (long cost : new long[] {3, 4, -2}) {
      long beforeUs = ServerClock.nowUs(trial().server());
      ScriptReply reply = key.call(cost, 0);
      long ttlMs = key.ttlMs();
      long passedUs = ServerClock.nowUs(trial().server()) - beforeUs;
      long mostMs = ceil(reply.resetUs(), 1_000) + ProtocolBounds.PADDING_MS;
      assertThat(ttlMs)
          .as("after cost %d and at most %d us", cost, passedUs)
          .isBetween(mostMs - ceil(passedUs, 1_000) - 1, mostMs);
    }
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("P5 a removed time to live heals with the next window or write")
  void timeToLiveHeals() {
    TimedKey key = key();
    key.call(1, 0);
    key.persist();
    key.call(1, fullUs());
    assertThat(key.ttlMs()).isPositive();
  }

  @Tag(LoadTest.ONCE)
  @Test
  @DisplayName("P6 a wrong argument is an error that names it, and changes nothing")
  void wrongArguments() {
    TimedKey key = key();
    key.call(LIMIT, 0);
    String stored = key.stored();
    key.mark();
    String tier = LimitSetting.tier(algorithm, LIMIT, UNITS, PERIOD_US);
    WrongArguments.of(algorithm, tier)
        .forEach(
            (wrong, name) ->
                assertThat(key.refusal(wrong))
                    .as(wrong.toString())
                    .startsWith("penstock %s: %s must ".formatted(algorithm.scriptName(), name)));
    assertThat(key.isWritten()).isFalse();
    assertThat(key.stored()).isEqualTo(stored);
    assertThat(key.call(1, 0).allowed()).as("allowed after wrong arguments").isFalse();
  }
}
