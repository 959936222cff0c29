package io.github.penstock.simulator.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.IntervalBucket;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.SlidingWindow;
import io.github.penstock.core.limit.TokenBucket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitTextTest {
  @Test
  void algorithmsTiersAndBursts() {
    assertThat(LimitCandidate.of("token-bucket:100/1m,burst=20").limit())
        .isEqualTo(TokenBucket.of(20).refill(100, Duration.ofMinutes(1)));
    assertThat(LimitCandidate.of("leaky-bucket:1_000/d").limit())
        .isEqualTo(LeakyBucket.of(1_000).leak(1_000, Duration.ofDays(1)));
    assertThat(LimitCandidate.of("sliding-window:100/1m").limit())
        .isEqualTo(SlidingWindow.of(100, Duration.ofMinutes(1)));
    assertThat(LimitCandidate.of("interval-bucket:100/1m,burst=300").limit())
        .isEqualTo(IntervalBucket.of(300).refill(100, Duration.ofMinutes(1)));
    assertThat(LimitCandidate.of("fixed-window:1_000_000_000_000/366d").limit())
        .isEqualTo(FixedWindow.of(1_000_000_000_000L, Duration.ofDays(366)));
    assertThat(LimitCandidate.of("fixed-window:10/500ms+100/2h").limit())
        .isEqualTo(
            FixedWindow.of(10, Duration.ofMillis(500))
                .and(FixedWindow.of(100, Duration.ofHours(2))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bucket:1/1s | must begin with one of fixed-window, sliding-window, token-bucket, leaky-bucket, interval-bucket",
        "fixed-window | must go on with a colon",
        "fixed-window: | must have UNITS/PERIOD",
        "fixed-window:5 | must have UNITS/PERIOD",
        "fixed-window:5/1s,burst=9 | a window does not have",
        "sliding-window:5/1s,burst=9 | a window does not have",
        "token-bucket:5/1s,capacity=9 | must have UNITS/PERIOD",
        "token-bucket:5/1s,burst= | burst must be a whole number",
        "token-bucket:x/1s | units must be a whole number",
        "token-bucket:_/1s | units must be a whole number: _",
        "token-bucket:-1/1s | units must be from 1 to 1000000000000: -1",
        "token-bucket:0/1s | units must be from 1 to 1000000000000: 0",
        "leaky-bucket:1000000000001/1s | units must be from 1 to 1000000000000: 1000000000001",
        "fixed-window:99999999999999999999/1m | units must be from 1 to 1000000000000:"
            + " 99999999999999999999",
        "leaky-bucket:1/1s,burst=0 | burst must be from 1 to 1000000000000: 0",
        "token-bucket:1/1s,burst=99999999999999999999 | burst must be from 1 to 1000000000000:"
            + " 9999",
        "token-bucket:5/1y | the period must be a number with us, ms, s, m, h or d",
        "token-bucket:5/0s | the period must be from 1us to 366d: 0s",
        "leaky-bucket:5/-1s | the period must be from 1us to 366d: -1s",
        "fixed-window:5/400000d | the period must be from 1us to 366d: 400000d",
        "fixed-window:5/31622400000001us | the period must be from 1us to 366d: 31622400000001us",
        "token-bucket:5/99999999999999999999d | the period must be from 1us to 366d:"
            + " 99999999999999999999d",
        "token-bucket:1/366d,burst=101 | within 100 years",
      })
  void whatIsWrongIsNamed(String text, String rule) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitCandidate.of(text))
        .withMessageContaining("'" + text + "'")
        .withMessageContaining(rule);
  }

  @Test
  void seventeenTiersAreTooMany() {
    String text = "fixed-window:1/1s" + "+1/1s".repeat(16);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitCandidate.of(text))
        .withMessageContaining("it has 17 limits, and one call takes 16 at most");
  }
}
