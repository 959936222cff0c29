package io.github.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.scripts.LuaScript;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LimitTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long MAX_UNITS = 1_000_000_000_000L;

  @Test
  @DisplayName("a limit knows its script, its arguments and its marker")
  void knowsItsCall() {
    Limit bucket = TokenBucket.of(100).refill(10, SECOND);
    assertThat(bucket.script()).isEqualTo(LuaScript.TOKEN_BUCKET);
    assertThat(bucket.arguments()).containsExactly("100", "10", "1000000");
    assertThat(bucket.marker()).isEqualTo("b100.10.1000000");
    Limit leaky = LeakyBucket.of(7).leak(3, Duration.ofNanos(1_500_000));
    assertThat(leaky.script()).isEqualTo(LuaScript.LEAKY_BUCKET);
    assertThat(leaky.arguments()).containsExactly("7", "3", "1500");
    assertThat(leaky.marker()).isEqualTo("b7.3.1500");
    Limit window = FixedWindow.of(5, Duration.ofMinutes(1));
    assertThat(window.script()).isEqualTo(LuaScript.FIXED_WINDOW);
    assertThat(window.arguments()).containsExactly("5", "60000000");
    assertThat(window.marker()).isEqualTo("w60000000");
  }

  @Test
  @DisplayName(
      "tiers keep their order in arguments and marker; a changed window limit keeps its key")
  void tiers() {
    Limit bucket = TokenBucket.of(10).refill(10, SECOND).and(TokenBucket.of(100).refill(1, SECOND));
    assertThat(bucket.arguments()).containsExactly("10", "10", "1000000", "100", "1", "1000000");
    assertThat(bucket.marker()).isEqualTo("b10.10.1000000-100.1.1000000");
    FixedWindow window =
        FixedWindow.of(10, SECOND).and(FixedWindow.of(100, SECOND.multipliedBy(60)));
    assertThat(window.marker()).isEqualTo("w1000000-60000000");
    assertThat(FixedWindow.of(11, SECOND).marker()).isEqualTo(FixedWindow.of(10, SECOND).marker());
    assertThat(window).isEqualTo(new FixedWindow(window.tiers()));
  }

  @Test
  @DisplayName("1 to 16 tiers, and nobody can change them afterwards")
  void numberOfTiers() {
    FixedWindow.Tier tier = new FixedWindow.Tier(1, SECOND);
    assertThat(new FixedWindow(Collections.nCopies(16, tier)).arguments()).hasSize(32);
    refused(
        "tier must be given 1 to 16 times: 17",
        () -> new FixedWindow(Collections.nCopies(17, tier)));
    refused("tier must be given 1 to 16 times: 0", () -> new TokenBucket(List.of()));
    assertThat(FixedWindow.of(1, SECOND).tiers()).isUnmodifiable();
  }

  @Test
  @DisplayName("units are 1 to 10^12, in the scripts' words")
  void units() {
    refused("limit must be an integer from 1 to 1000000000000: 0", () -> FixedWindow.of(0, SECOND));
    refused("capacity must be an integer from 1 to 1000000000000: -1", () -> TokenBucket.of(-1));
    refused(
        "capacity must be an integer from 1 to 1000000000000: 1000000000001",
        () -> LeakyBucket.of(MAX_UNITS + 1));
    refused(
        "refill_tokens must be an integer from 1 to 1000000000000: 0",
        () -> TokenBucket.of(1).refill(0, SECOND));
    refused(
        "leak_units must be an integer from 1 to 1000000000000: 0",
        () -> LeakyBucket.of(1).leak(0, SECOND));
    assertThat(FixedWindow.of(MAX_UNITS, SECOND).arguments()).contains("1000000000000");
  }

  @Test
  @DisplayName("periods are whole microseconds, 1 to 366 days")
  void periods() {
    String rule = "window_us must be an integer from 1 to 31622400000000: ";
    refused(rule + "PT0S", () -> FixedWindow.of(1, Duration.ZERO));
    refused(rule + "PT-1S", () -> FixedWindow.of(1, SECOND.negated()));
    refused(rule + "PT0.0000009S", () -> FixedWindow.of(1, Duration.ofNanos(900)));
    refused(
        rule + "PT8784H0.000001S", () -> FixedWindow.of(1, Duration.ofDays(366).plusNanos(1000)));
    refused(
        rule + "PT2562047788015215H30M7S",
        () -> FixedWindow.of(1, Duration.ofSeconds(Long.MAX_VALUE)));
    refused(
        "window_us must be whole microseconds: PT0.0000015S",
        () -> FixedWindow.of(1, Duration.ofNanos(1500)));
    assertThat(FixedWindow.of(1, Duration.ofDays(366)).marker()).isEqualTo("w31622400000000");
    assertThat(FixedWindow.of(1, Duration.ofNanos(1000)).marker()).isEqualTo("w1");
  }

  @Test
  @DisplayName("a bucket's product stays below 2^53, after reduction only")
  void exactProduct() {
    String rule =
        "capacity must be small enough that its product with the reduced period stays below 2^53: ";
    assertThat(TokenBucket.of(9_007_199_254L).refill(7, SECOND).marker())
        .startsWith("b9007199254.");
    refused(
        rule + "9007199255 at 7 per 1000000 us",
        () -> TokenBucket.of(9_007_199_255L).refill(7, SECOND));
    assertThat(TokenBucket.of(9_007_199_255L).refill(8, SECOND).arguments()).contains("1000000");
    assertThat(LeakyBucket.of(MAX_UNITS).leak(1_000_000, SECOND).arguments()).contains("1000000");
    refused(
        rule + "1000000000000 at 999999999999 per 31622400000000 us",
        () -> LeakyBucket.of(MAX_UNITS).leak(999_999_999_999L, Duration.ofDays(366)));
  }

  @Test
  @DisplayName("a full bucket refills or drains within 100 years of 365.25 days")
  void century() {
    assertThat(TokenBucket.of(3_155_760_000L).refill(1, SECOND).marker())
        .startsWith("b3155760000.");
    refused(
        "capacity must refill or drain within 100 years: 3155760001 at 1 per 1000000 us",
        () -> TokenBucket.of(3_155_760_001L).refill(1, SECOND));
    assertThat(LeakyBucket.of(99).leak(1, Duration.ofDays(366)).tiers()).hasSize(1);
    refused(
        "capacity must refill or drain within 100 years: 100 at 1 per 31622400000000 us",
        () -> LeakyBucket.of(100).leak(1, Duration.ofDays(366)));
  }

  private static void refused(String message, ThrowingCallable making) {
    assertThatIllegalArgumentException().isThrownBy(making).withMessage(message);
  }
}
