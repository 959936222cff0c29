package io.github.penstock.core.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.penstock.scripts.LuaScript;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LimitTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long MAX_UNITS = 1_000_000_000_000L;

  @Test
  @DisplayName("limits are equal by value, and tiers keep their order")
  void values() {
    LimitTier first = LimitTier.of(10, 10, SECOND);
    LimitTier second = LimitTier.of(100, 100, Duration.ofMinutes(1));
    Limit both = FixedWindow.of(10, SECOND).and(FixedWindow.of(100, Duration.ofMinutes(1)));
    assertThat(both.tiers()).containsExactly(first, second);
    assertThat(both).isEqualTo(Limit.of(LimitKind.FIXED_WINDOW, List.of(first, second)));
    assertThat(TokenBucket.of(7).refill(3, SECOND).tiers())
        .containsExactly(LimitTier.of(7, 3, SECOND));
    assertThat(LeakyBucket.of(7).leak(3, SECOND).tiers())
        .containsExactly(LimitTier.of(7, 3, SECOND));
    assertThat(IntervalBucket.of(7).refill(30, SECOND).tiers())
        .containsExactly(LimitTier.of(7, 30, SECOND));
    assertThat(SlidingWindow.of(7, SECOND).and(SlidingWindow.of(9, SECOND)).tiers())
        .containsExactly(LimitTier.of(7, 7, SECOND), LimitTier.of(9, 9, SECOND));
  }

  @Test
  @DisplayName("toString names the algorithm and the numbers of each tier")
  void text() {
    assertThat(FixedWindow.of(1000, Duration.ofMinutes(1))).hasToString("fixed-window:1000/1m");
    assertThat(SlidingWindow.of(5, SECOND)).hasToString("sliding-window:5/1s");
    assertThat(IntervalBucket.of(7).refill(3, SECOND)).hasToString("interval-bucket:3/1s,burst=7");
    assertThat(LeakyBucket.of(7).leak(3, SECOND)).hasToString("leaky-bucket:3/1s,burst=7");
    assertThat(
            TokenBucket.of(10)
                .refill(10, SECOND)
                .and(TokenBucket.of(100).refill(1, Duration.ofMinutes(1))))
        .hasToString("token-bucket:10/1s+1/1m,burst=100");
  }

  @Test
  @DisplayName("1 to 16 tiers, and nobody can change them afterwards")
  void numberOfTiers() {
    LimitTier tier = LimitTier.of(1, 1, SECOND);
    assertThat(Limit.of(LimitKind.FIXED_WINDOW, Collections.nCopies(16, tier)).tiers()).hasSize(16);
    refused(
        "tiers must be 1 to 16: 17",
        () -> Limit.of(LimitKind.FIXED_WINDOW, Collections.nCopies(17, tier)));
    refused("tiers must be 1 to 16: 0", () -> Limit.of(LimitKind.TOKEN_BUCKET, List.of()));
    assertThat(FixedWindow.of(1, SECOND).tiers()).isUnmodifiable();
  }

  @Test
  @DisplayName("limits of two kinds are not combined, whatever their numbers")
  void twoKinds() {
    Limit token = TokenBucket.of(10).refill(1, SECOND);
    Limit leaky = LeakyBucket.of(10).leak(1, SECOND);
    refused(
        "limits must be of one kind to be combined: token-bucket:1/1s,burst=10,"
            + " leaky-bucket:1/1s,burst=10",
        () -> token.and(leaky));
    assertThat(token).isNotEqualTo(leaky);
    assertThat(token.kind()).isEqualTo(LimitKind.TOKEN_BUCKET);
    assertThat(LimitKind.named("token-bucket")).contains(LimitKind.TOKEN_BUCKET);
    assertThat(LimitKind.named("bucket")).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("every script has a kind, and a tier is the numbers that its script takes")
  @EnumSource
  void numbers(LuaScript script) {
    LimitKind kind = LimitKind.valueOf(script.name());
    List<Long> numbers = kind.holdsBurst() ? List.of(7L, 3L, 9L) : List.of(7L, 9L);
    assertThat(kind.script()).isEqualTo(script);
    assertThat(script.tier()).hasSameSizeAs(numbers);
    assertThat(kind.numbers(kind.tier(numbers))).isEqualTo(numbers);
  }

  @Test
  @DisplayName("tiers that are null are named")
  void nulls() {
    assertThatNullPointerException()
        .isThrownBy(() -> Limit.of(LimitKind.FIXED_WINDOW, null))
        .withMessage("tiers");
    assertThatNullPointerException()
        .isThrownBy(() -> Limit.of(LimitKind.TOKEN_BUCKET, Collections.singletonList(null)))
        .withMessage("one of tiers");
  }

  @Test
  @DisplayName("tiers made by hand keep the bounds of their limit, and a window's have no burst")
  void tiersByHand() {
    LimitTier tier = LimitTier.of(101, 1, Duration.ofDays(366));
    String rule = "capacity must equal units in a window: 1/366d,burst=101";
    refused(rule, () -> Limit.of(LimitKind.FIXED_WINDOW, List.of(tier)));
    refused(rule, () -> Limit.of(LimitKind.SLIDING_WINDOW, List.of(tier)));
    rule = "capacity must refill or drain within 100 years: 1/366d,burst=101";
    refused(rule, () -> Limit.of(LimitKind.TOKEN_BUCKET, List.of(tier)));
    refused(rule, () -> Limit.of(LimitKind.LEAKY_BUCKET, List.of(tier)));
    rule = "capacity must refill within 100 years: 1/366d,burst=101";
    refused(rule, () -> Limit.of(LimitKind.INTERVAL_BUCKET, List.of(tier)));
  }

  @Test
  @DisplayName("units are 1 to 10^12, and the message names the parameter")
  void units() {
    refused("limit must be from 1 to 1000000000000: 0", () -> FixedWindow.of(0, SECOND));
    refused("capacity must be from 1 to 1000000000000: -1", () -> TokenBucket.of(-1));
    refused(
        "capacity must be from 1 to 1000000000000: 1000000000001",
        () -> LeakyBucket.of(MAX_UNITS + 1));
    refused(
        "refillTokens must be from 1 to 1000000000000: 0",
        () -> TokenBucket.of(1).refill(0, SECOND));
    refused(
        "leakUnits must be from 1 to 1000000000000: 0", () -> LeakyBucket.of(1).leak(0, SECOND));
    refused("limit must be from 1 to 1000000000000: 0", () -> SlidingWindow.of(0, SECOND));
    refused(
        "tokens must be from 1 to 1000000000000: 0", () -> IntervalBucket.of(1).refill(0, SECOND));
    assertThat(FixedWindow.of(MAX_UNITS, SECOND).tiers().get(0).units()).isEqualTo(MAX_UNITS);
    assertThat(SlidingWindow.of(MAX_UNITS, Duration.ofDays(366)).tiers()).hasSize(1);
  }

  @Test
  @DisplayName("periods are whole microseconds, 1 to 366 days, and the message names the parameter")
  void periods() {
    String rule = " must be from 1 microsecond to 366 days: ";
    refused("window" + rule + "PT0S", () -> FixedWindow.of(1, Duration.ZERO));
    refused("window" + rule + "PT-1S", () -> FixedWindow.of(1, SECOND.negated()));
    refused("window" + rule + "PT0.0000009S", () -> FixedWindow.of(1, Duration.ofNanos(900)));
    refused(
        "window" + rule + "PT8784H0.000001S",
        () -> FixedWindow.of(1, Duration.ofDays(366).plusNanos(1000)));
    refused(
        "window" + rule + "PT2562047788015215H30M7S",
        () -> FixedWindow.of(1, Duration.ofSeconds(Long.MAX_VALUE)));
    refused("refillPeriod" + rule + "PT0S", () -> TokenBucket.of(1).refill(1, Duration.ZERO));
    refused("leakPeriod" + rule + "PT0S", () -> LeakyBucket.of(1).leak(1, Duration.ZERO));
    refused("window" + rule + "PT0S", () -> SlidingWindow.of(1, Duration.ZERO));
    refused("interval" + rule + "PT0S", () -> IntervalBucket.of(1).refill(1, Duration.ZERO));
    refused(
        "window must be whole microseconds: PT0.0000015S",
        () -> FixedWindow.of(1, Duration.ofNanos(1500)));
    assertThat(FixedWindow.of(1, Duration.ofDays(366)).tiers()).hasSize(1);
    assertThat(FixedWindow.of(1, Duration.ofNanos(1000)).tiers()).hasSize(1);
  }

  @Test
  @DisplayName("a bucket's product stays below 2^53, after reduction only")
  void exactProduct() {
    String rule =
        "capacity must be small enough that its product with the reduced period in microseconds"
            + " stays below 2^53: ";
    assertThat(TokenBucket.of(9_007_199_254L).refill(7, SECOND).tiers()).hasSize(1);
    refused(rule + "7/1s,burst=9007199255", () -> TokenBucket.of(9_007_199_255L).refill(7, SECOND));
    assertThat(TokenBucket.of(9_007_199_255L).refill(8, SECOND).tiers()).hasSize(1);
    assertThat(LeakyBucket.of(MAX_UNITS).leak(1_000_000, SECOND).tiers()).hasSize(1);
    refused(
        rule + "999999999999/366d,burst=1000000000000",
        () -> LeakyBucket.of(MAX_UNITS).leak(999_999_999_999L, Duration.ofDays(366)));
  }

  @Test
  @DisplayName("a full bucket refills or drains within 100 years of 365.25 days")
  void century() {
    assertThat(TokenBucket.of(3_155_760_000L).refill(1, SECOND).tiers()).hasSize(1);
    refused(
        "capacity must refill or drain within 100 years: 1/1s,burst=3155760001",
        () -> TokenBucket.of(3_155_760_001L).refill(1, SECOND));
    assertThat(LeakyBucket.of(99).leak(1, Duration.ofDays(366)).tiers()).hasSize(1);
    refused(
        "capacity must refill or drain within 100 years: 1/366d,burst=100",
        () -> LeakyBucket.of(100).leak(1, Duration.ofDays(366)));
  }

  @Test
  @DisplayName("batches fill a bucket within 100 years, and may be larger than it is")
  void batches() {
    Duration year = Duration.ofSeconds(31_557_600);
    assertThat(IntervalBucket.of(100).refill(1, year).tiers()).hasSize(1);
    assertThat(IntervalBucket.of(200).refill(2, year).tiers()).hasSize(1);
    assertThat(IntervalBucket.of(1).refill(MAX_UNITS, Duration.ofDays(366)).tiers()).hasSize(1);
    refused(
        "capacity must refill within 100 years: 1/8766h,burst=101",
        () -> IntervalBucket.of(101).refill(1, year));
    refused(
        "capacity must refill within 100 years: 2/8766h,burst=201",
        () -> IntervalBucket.of(201).refill(2, year));
    refused(
        "capacity must refill within 100 years: 1/3156us,burst=1000000000000",
        () -> IntervalBucket.of(MAX_UNITS).refill(1, Duration.ofNanos(3_156_000)));
  }

  private static void refused(String message, ThrowingCallable making) {
    assertThatIllegalArgumentException().isThrownBy(making).withMessage(message);
  }
}
