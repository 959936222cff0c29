package io.github.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimiterOptionsTest {
  private final RateLimitListener listener = (call, acquired, cause) -> {};
  private final RateLimitListener other = (call, acquired, cause) -> {};
  private final Executor executor = Runnable::run;
  private final RateLimiterOptions all =
      RateLimiterOptions.builder()
          .prefix("shop")
          .deadline(Duration.ofMillis(200))
          .onUnavailable(OnUnavailable.ALLOW)
          .onOverload(OnOverload.THROW)
          .throwUntilFirstDecision(true)
          .completeOn(executor)
          .rememberDenials(Duration.ofMillis(50))
          .mostDenials(5_000)
          .circuitBreaker(Duration.ofSeconds(1))
          .verdictConnection(false)
          .shareTrips(false)
          .functions(true)
          .peekOnReplicas(true)
          .listener(listener)
          .build();

  @Test
  @DisplayName("each option is as it was set")
  void set() {
    assertThat(all.prefix()).isEqualTo("shop");
    assertThat(all.deadline()).isEqualTo(Duration.ofMillis(200));
    assertThat(all.onUnavailable()).isEqualTo(OnUnavailable.ALLOW);
    assertThat(all.onOverload()).isEqualTo(OnOverload.THROW);
    assertThat(all.throwUntilFirstDecision()).isTrue();
    assertThat(all.completeOn()).isSameAs(executor);
    assertThat(all.rememberDenials()).isEqualTo(Duration.ofMillis(50));
    assertThat(all.mostDenials()).isEqualTo(5_000);
    assertThat(all.circuitBreaker()).isEqualTo(Duration.ofSeconds(1));
    assertThat(all.verdictConnection()).isFalse();
    assertThat(all.functions()).isTrue();
    assertThat(all.peekOnReplicas()).isTrue();
    assertThat(all.listeners()).containsExactly(listener);
    assertThat(all.toBuilder().listener(other).build().listeners())
        .containsExactly(listener, other);
  }

  @Test
  @DisplayName("what is not set keeps its default")
  void defaults() {
    RateLimiterOptions defaults = RateLimiterOptions.defaults();
    assertThat(defaults.prefix()).isEqualTo("penstock");
    assertThat(defaults.deadline()).isEqualTo(Duration.ofSeconds(1));
    assertThat(defaults.onUnavailable()).isEqualTo(OnUnavailable.THROW);
    assertThat(defaults.onOverload()).isEqualTo(OnOverload.DENY);
    assertThat(defaults.throwUntilFirstDecision()).isFalse();
    assertThat(defaults.completeOn()).isNull();
    assertThat(defaults.rememberDenials()).isEqualTo(Duration.ofMillis(100));
    assertThat(defaults.mostDenials()).isEqualTo(100_000);
    assertThat(defaults.circuitBreaker()).isZero();
    assertThat(defaults.verdictConnection()).isTrue();
    assertThat(defaults.functions()).isFalse();
    assertThat(defaults.peekOnReplicas()).isFalse();
    assertThat(defaults.listeners()).isEmpty();
    assertThat(RateLimiterOptions.builder().build()).hasToString(defaults.toString());
  }

  @Test
  @DisplayName("a builder changes neither the options it begins with nor those it has built")
  void immutable() {
    RateLimiterOptions.Builder builder = all.toBuilder();
    RateLimiterOptions same = builder.build();
    RateLimiterOptions other = builder.prefix("other").functions(false).build();
    assertThat(same).hasToString(all.toString());
    assertThat(all.prefix()).isEqualTo("shop");
    assertThat(other.prefix()).isEqualTo("other");
    assertThat(other.functions()).isFalse();
    assertThat(other.deadline()).isEqualTo(Duration.ofMillis(200));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ALLOW", "DENY", "THROW"})
  @DisplayName("configuration names the choices")
  void choices(String name) {
    assertThat(OnUnavailable.valueOf(name)).hasToString(name);
    assertThat(OnOverload.valueOf(name)).hasToString(name);
    String wrong = name + "S";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OnUnavailable.valueOf(wrong))
        .withMessage("onUnavailable must be ALLOW, DENY, THROW, LOCAL or LOCAL/n: " + wrong);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OnOverload.valueOf(wrong))
        .withMessage("onOverload must be ALLOW, DENY or THROW: " + wrong);
  }

  @Test
  @DisplayName("toString names every option")
  void text() {
    assertThat(all)
        .hasToString(
            "RateLimiterOptions[prefix=shop, deadline=PT0.2S, onUnavailable=ALLOW,"
                + " onOverload=THROW, throwUntilFirstDecision=true, rememberDenials=PT0.05S, mostDenials=5000, circuitBreaker=PT1S,"
                + " verdictConnection=false, shareTrips=false, functions=true, peekOnReplicas=true, completeOn="
                + executor
                + ", listeners=["
                + listener
                + "]]");
  }

  @Test
  @DisplayName("prefix and deadline have bounds, and nothing is null")
  void bounds() {
    RateLimiterOptions.Builder builder = RateLimiterOptions.builder();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.prefix("a:b"))
        .withMessage("prefix must be 1 to 64 of A-Z a-z 0-9 . _ -: \"a:b\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.deadline(Duration.ofNanos(999_999)))
        .withMessage("deadline must be from 1 ms to 1 hour: PT0.000999999S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.deadline(Duration.ofHours(1).plusNanos(1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.rememberDenials(Duration.ofMinutes(1).plusNanos(1)))
        .withMessage("rememberDenials must be from 0 to 1 minute: PT1M0.000000001S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.rememberDenials(Duration.ofNanos(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.mostDenials(1))
        .withMessage("mostDenials must be from 2 to 10000000: 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.circuitBreaker(Duration.ofMillis(9)))
        .withMessage("circuitBreaker must be zero or from 10 ms to 1 hour: PT0.009S");
    assertThatNullPointerException().isThrownBy(() -> builder.onUnavailable(null));
    assertThatNullPointerException().isThrownBy(() -> builder.listener(null));
    assertThat(builder.build()).hasToString(RateLimiterOptions.defaults().toString());
  }

  @Test
  @DisplayName("the keys of a policy begin with prefix and policy")
  void keyPrefix() {
    assertThat(RateLimiterOptions.defaults().keyPrefix("api")).isEqualTo("penstock:api:");
    assertThat(all.keyPrefix("a".repeat(64))).hasSize(70);
    assertThatIllegalArgumentException().isThrownBy(() -> all.keyPrefix("a".repeat(65)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a:b", "a b", "é", "{", "a\n"})
  @DisplayName("a policy is 1 to 64 of a few characters")
  void policies(String policy) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> all.keyPrefix(policy))
        .withMessage("policy must be 1 to 64 of A-Z a-z 0-9 . _ -: \"" + policy + "\"");
  }
}
