package io.github.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RateLimiterOptionsTest {
  @Test
  @DisplayName("each option changes by itself and leaves the defaults alone")
  void withers() {
    RateLimitListener listener = (policy, decision, latency, cause) -> {};
    RateLimiterOptions options =
        RateLimiterOptions.defaults()
            .prefix("shop")
            .deadline(Duration.ofMillis(200))
            .onUnavailable(OnUnavailable.ALLOW)
            .functions(true)
            .peekOnReplicas(true)
            .allowDuplicateCharges(true)
            .listener(listener);
    assertThat(options)
        .isEqualTo(
            new RateLimiterOptions(
                "shop", Duration.ofMillis(200), OnUnavailable.ALLOW, true, true, true, listener));
    assertThat(RateLimiterOptions.defaults())
        .isEqualTo(
            new RateLimiterOptions(
                "penstock", Duration.ofSeconds(1), OnUnavailable.THROW, false, false, false, null));
  }

  @Test
  @DisplayName("prefix and deadline have bounds")
  void bounds() {
    RateLimiterOptions options = RateLimiterOptions.defaults();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.prefix("a:b"))
        .withMessage("prefix must be 1 to 64 of A-Z a-z 0-9 . _ -: \"a:b\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.deadline(Duration.ofNanos(999_999)))
        .withMessage("deadline must be from 1 ms to 1 hour: PT0.000999999S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.deadline(Duration.ofHours(1).plusNanos(1)));
  }
}
