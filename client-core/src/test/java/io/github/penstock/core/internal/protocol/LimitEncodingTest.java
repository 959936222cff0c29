package io.github.penstock.core.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.IntervalBucket;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.core.limit.SlidingWindow;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.scripts.LuaScript;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LimitEncodingTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long MAX_UNITS = Limit.MAX_UNITS;

  @Test
  @DisplayName("a limit has its script, its arguments and its marker")
  void oneTier() {
    LimitEncoding bucket = LimitEncoding.of(TokenBucket.of(100).refill(10, SECOND));
    assertThat(bucket.script()).isEqualTo(LuaScript.TOKEN_BUCKET);
    assertThat(bucket.arguments()).containsExactly("100", "10", "1000000");
    assertThat(bucket.marker()).isEqualTo("b100.10.1000000");
    LimitEncoding leaky = LimitEncoding.of(LeakyBucket.of(7).leak(3, Duration.ofNanos(1_500_000)));
    assertThat(leaky.script()).isEqualTo(LuaScript.LEAKY_BUCKET);
    assertThat(leaky.arguments()).containsExactly("7", "3", "1500");
    assertThat(leaky.marker()).isEqualTo("b7.3.1500");
    LimitEncoding window = LimitEncoding.of(FixedWindow.of(5, Duration.ofMinutes(1)));
    assertThat(window.script()).isEqualTo(LuaScript.FIXED_WINDOW);
    assertThat(window.arguments()).containsExactly("5", "60000000");
    assertThat(window.marker()).isEqualTo("w60000000");
    LimitEncoding sliding = LimitEncoding.of(SlidingWindow.of(5, Duration.ofMinutes(1)));
    assertThat(sliding.script()).isEqualTo(LuaScript.SLIDING_WINDOW);
    assertThat(sliding.arguments()).containsExactly("5", "60000000");
    assertThat(sliding.marker()).isEqualTo("s60000000");
    LimitEncoding interval = LimitEncoding.of(IntervalBucket.of(7).refill(9, SECOND));
    assertThat(interval.script()).isEqualTo(LuaScript.INTERVAL_BUCKET);
    assertThat(interval.arguments()).containsExactly("7", "9", "1000000");
    assertThat(interval.marker()).isEqualTo("i7.9.1000000");
  }

  @Test
  @DisplayName("tiers keep their order in arguments and marker")
  void tiers() {
    LimitEncoding bucket =
        LimitEncoding.of(
            TokenBucket.of(10).refill(10, SECOND).and(TokenBucket.of(100).refill(1, SECOND)));
    assertThat(bucket.arguments()).containsExactly("10", "10", "1000000", "100", "1", "1000000");
    assertThat(bucket.marker()).isEqualTo("b10.10.1000000-100.1.1000000");
    Limit window = FixedWindow.of(10, SECOND).and(FixedWindow.of(100, Duration.ofMinutes(1)));
    assertThat(marker(window)).isEqualTo("w1000000-60000000");
    LimitTier tier = LimitTier.of(1, 1, SECOND);
    Limit most = Limit.of(LimitKind.FIXED_WINDOW, Collections.nCopies(16, tier));
    assertThat(LimitEncoding.of(most).arguments()).hasSize(32);
  }

  @Test
  @DisplayName("a changed limit of a window keeps its key")
  void changedLimit() {
    assertThat(marker(FixedWindow.of(11, SECOND))).isEqualTo(marker(FixedWindow.of(10, SECOND)));
    assertThat(marker(SlidingWindow.of(11, SECOND))).isEqualTo(marker(SlidingWindow.of(9, SECOND)));
  }

  @Test
  @DisplayName("the least and the greatest numbers are written in full")
  void extremes() {
    assertThat(LimitEncoding.of(FixedWindow.of(MAX_UNITS, SECOND)).arguments())
        .containsExactly("1000000000000", "1000000");
    assertThat(marker(FixedWindow.of(1, Duration.ofDays(366)))).isEqualTo("w31622400000000");
    assertThat(marker(FixedWindow.of(1, Duration.ofNanos(1000)))).isEqualTo("w1");
    assertThat(marker(LeakyBucket.of(MAX_UNITS).leak(1_000_000, SECOND)))
        .isEqualTo("b1000000000000.1000000.1000000");
  }

  private static String marker(Limit limit) {
    return LimitEncoding.of(limit).marker();
  }
}
