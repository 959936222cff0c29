package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.compat.load.ConcurrentRun;
import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.Usage;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.RefillForm;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The limiters' own behaviour, regardless of the store of their limits: a shared server, or one
 * process.
 */
public abstract class LimiterRules extends SuiteRules {
  private static final int THREADS = 64;

  final ScriptAlgorithm algorithm;

  /** The rules of limits of one algorithm. */
  protected LimiterRules(ScriptAlgorithm algorithm) {
    this.algorithm = algorithm;
  }

  /** The limiters; every test has separate policies. */
  protected abstract RateLimiters limiters();

  /** A limiter of a separate policy, which gains nothing for the duration of a test. */
  final RateLimiter limiter(long limit) {
    return AdapterTrial.limiter(limiters(), algorithm, limit);
  }

  @Test
  @DisplayName("P7 64 threads on one key are admitted exactly the limit")
  void exactUnderConcurrency() throws Exception {
    RateLimiter limiter = limiter(500);
    List<Boolean> admitted =
        ConcurrentRun.each(THREADS, 20, (thread, call) -> limiter.tryAcquire("one").allowed());
    assertThat(Collections.frequency(admitted, true)).isEqualTo(500);
  }

  @Test
  @DisplayName("P1 a decision says what the reply says")
  void decision() {
    RateLimiter limiter = limiter(2);
    boolean slides = LimitSetting.kind(algorithm).refill() == RefillForm.FADING;
    Decision first = limiter.tryAcquire("one");
    assertThat(first.allowed()).isTrue();
    assertThat(first.limit()).isEqualTo(2);
    assertThat(first.remaining()).isEqualTo(1);
    assertThat(first.tier()).isEqualTo(1);
    assertThat(first.enforced()).isTrue();
    assertThat(first.delay()).isZero();
    assertThat(first.resetAfter())
        .isBetween(Duration.ofDays(29), Duration.ofDays(slides ? 60 : 30));
    Decision second = limiter.tryAcquire("one");
    boolean queues = LimitSetting.kind(algorithm).queues();
    assertThat(second.delay()).isBetween(Duration.ofDays(queues ? 29 : 0), first.resetAfter());
    assertThat(queues || second.delay().isZero()).isTrue();
    Decision third = limiter.tryAcquire("one");
    assertThat(third.allowed()).isFalse();
    assertThat(third.retryAfter())
        .isBetween(Duration.ofDays(29), Duration.ofDays(slides ? 45 : 30));
    assertThat(third.impossible()).isFalse();
    assertThat(limiter.tryAcquire("one", 3).impossible()).isTrue();
    assertThat(limiter.tryAcquire("another").allowed()).isTrue();
  }

  @Test
  @DisplayName("P2 P10 a peek takes nothing, a refund gives back, a reset everything")
  void peeksAndRefunds() {
    RateLimiter limiter = limiter(10);
    assertThat(limiter.peek("one").remaining()).isEqualTo(10);
    limiter.tryAcquire("one", 7);
    assertThat(limiter.peek("one")).extracting(Usage::limit, Usage::remaining).contains(10L, 3L);
    assertThat(limiter.peek("one").remaining()).isEqualTo(3);
    assertThat(limiter.refund("one", 2).remaining()).isEqualTo(5);
    assertThat(limiter.reset("one").remaining()).isEqualTo(10);
    assertThat(limiter.tryAcquire("one", 10).allowed()).isTrue();
  }

  @Test
  @DisplayName("P7 as many units as there are, and their number is returned")
  void upTo() {
    RateLimiter limiter = limiter(10);
    AcquiredUnits four = limiter.tryAcquireUpTo("one", 4);
    assertThat(four.units()).isEqualTo(4);
    assertThat(four.decision().remaining()).isEqualTo(6);
    AcquiredUnits rest = limiter.tryAcquireUpTo("one", 500);
    assertThat(rest.units()).isEqualTo(6);
    assertThat(rest.decision().remaining()).isZero();
    AcquiredUnits none = limiter.tryAcquireUpTo("one", 500);
    assertThat(none.units()).isZero();
    assertThat(none.decision().retryAfter()).isPositive();
    assertThat(none.decision().impossible()).isFalse();
    assertThat(limiter.refund("one", 3).remaining()).isEqualTo(3);
    assertThat(limiter.tryAcquireUpTo("one", 2).units()).isEqualTo(2);
    for (long max : new long[] {0, -1, Limit.MAX_UNITS + 1}) {
      assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquireUpTo("one", max));
    }
    assertThat(limiter.peek("one").remaining()).isEqualTo(1);
  }

  @Test
  @DisplayName("P7 64 threads that take several units at once are admitted exactly the limit")
  void exactWithSeveral() throws Exception {
    RateLimiter limiter = limiter(500);
    List<Long> units =
        ConcurrentRun.each(
            THREADS, 5, (thread, call) -> limiter.tryAcquireUpTo("one", 1 + thread % 7).units());
    assertThat(units.stream().mapToLong(Long::longValue).sum()).isEqualTo(500);
  }

  @Test
  @DisplayName("P6 a cost or subject out of bounds is refused before it is sent")
  void badCalls() {
    RateLimiter limiter = limiter(10);
    for (long cost : new long[] {0, -1, Limit.MAX_UNITS + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire("one", cost));
      assertThatIllegalArgumentException().isThrownBy(() -> limiter.refund("one", cost));
    }
    for (String subject : List.of("", "\ud800", "a\udc00")) {
      assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire(subject));
      assertThatIllegalArgumentException().isThrownBy(() -> limiter.peek(subject));
    }
    assertThat(limiter.peek("one").remaining()).isEqualTo(10);
  }

  @Test
  @DisplayName("P13 two settings in use at once admit at most the sum of both")
  void twoSettings() {
    String policy = AdapterTrial.unique();
    Limit five = LimitSetting.lasting(algorithm, 5);
    Limit eight = LimitSetting.lasting(algorithm, 8);
    RateLimiter small = limiters().limiter(policy, five);
    RateLimiter large = limiters().limiter(policy, eight);
    int admitted = 0;
    for (int i = 0; i < 40; i++) {
      admitted += (i % 2 == 0 ? small : large).tryAcquire("one").allowed() ? 1 : 0;
    }
    boolean oneKey = LimitEncoding.of(five).marker().equals(LimitEncoding.of(eight).marker());
    assertThat(admitted).isEqualTo(oneKey ? 8 : 13);
  }

  @Test
  @DisplayName("P13 no two subjects share a limit, whatever they are made of")
  void subjectsAreApart() {
    RateLimiter limiter = limiter(1);
    String long10k = "x".repeat(10_240);
    List<String> subjects =
        List.of(
            "a",
            "A",
            "a ",
            " a",
            "{a}",
            "{a",
            "a}",
            "}{",
            "{}",
            "%7Ba%7D",
            "a:b",
            "a\0",
            "\0",
            "a\r\nb",
            "\u007f",
            "%",
            "%00",
            "ä",
            "a\u0308",
            "\ud83d\ude00",
            "日本語",
            long10k,
            long10k + "x",
            "x".repeat(128),
            "x".repeat(129),
            "$6",
            "*1\r\n$4\r\nPING\r\n");
    for (String subject : subjects) {
      assertThat(limiter.tryAcquire(subject).allowed()).as("first call of %.20s", subject).isTrue();
    }
    for (String subject : subjects) {
      assertThat(limiter.tryAcquire(subject).allowed()).as("second of %.20s", subject).isFalse();
      assertThat(limiter.peek(subject).remaining()).isZero();
    }
  }
}
