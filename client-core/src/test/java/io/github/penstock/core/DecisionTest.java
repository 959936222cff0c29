package io.github.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DecisionTest {
  @Test
  @DisplayName("a denial says when to come back; seconds are rounded up")
  void denied() {
    Decision denied = new Decision(false, 100, 0, 1_000_001, 9_000_000, 2, DecisionSource.SERVER);
    assertThat(denied.retryAfter()).isEqualTo(Duration.ofNanos(1_000_001_000));
    assertThat(denied.retryAfterSeconds()).hasValue(2);
    assertThat(denied.delay()).isZero();
    assertThat(denied.resetAfter()).isEqualTo(Duration.ofSeconds(9));
    assertThat(denied.impossible()).isFalse();
  }

  @Test
  @DisplayName("an allowed call may have to wait for its turn, and never has to come back")
  void allowed() {
    Decision allowed = new Decision(true, 100, 98, 100_000, 200_000, 1, DecisionSource.SERVER);
    assertThat(allowed.delay()).isEqualTo(Duration.ofMillis(100));
    assertThat(allowed.retryAfter()).isZero();
    assertThat(allowed.retryAfterSeconds()).hasValue(0);
  }

  @Test
  @DisplayName("never is longer than any wait, and can still be counted with")
  void never() {
    Decision never = new Decision(false, 100, 100, -1, 0, 1, DecisionSource.SERVER);
    assertThat(never.impossible()).isTrue();
    assertThat(never.retryAfter()).isEqualTo(Decision.NEVER).isGreaterThan(Duration.ofDays(36_525));
    assertThat(never.retryAfter().toNanos()).isPositive();
    assertThat(never.retryAfterSeconds()).isEmpty();
  }

  @Test
  @DisplayName("numbers that no server answers are refused by name")
  void bounds() {
    refused("limit must be at least 1: 0", 0, 0, 0, 0, 1);
    refused("remaining must not be negative: -1", 1, -1, 0, 0, 1);
    refused("waitMicros must not be negative: -1", 1, 0, -1, 0, 1);
    refused("resetMicros must not be negative: -1", 1, 0, 0, -1, 1);
    refused("tier must be from 1 to 16: 17", 1, 0, 0, 0, 17);
  }

  private static void refused(
      String message, long limit, long remaining, long wait, long reset, int tier) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Decision(true, limit, remaining, wait, reset, tier, DecisionSource.SERVER))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Usage(limit, remaining, wait, reset, tier))
        .withMessage(message);
  }
}
