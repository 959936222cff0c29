package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.model.Algorithm;
import io.github.penstock.compat.topology.Await;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Servers that do not know the scripts, or lose them. */
abstract class ScriptRules {
  private static final Duration REPLICATION = Duration.ofSeconds(10);
  private static final long UNANSWERED = -1;

  abstract Trial trial();

  @Test
  @DisplayName("NOSCRIPT under load is never seen by a caller, and every call is charged once")
  void flushedUnderLoad() throws InterruptedException {
    trial().requireOurs();
    String policy = Trial.unique();
    RateLimiter limiter = trial().limiters().limiter(policy, Charges.LIMIT);
    try (Load load = Load.onManySubjects(16, limiter::tryAcquire)) {
      for (int i = 0; i < 40; i++) {
        load.during(Duration.ofMillis(25));
        trial().deployment().flushScripts();
      }
      List<Load.Call> calls = load.finish();
      assertThat(calls).hasSizeGreaterThan(100);
      Load.expectNone("failed", calls, Load.Call::failed);
      assertThat(Charges.of(calls, policy, trial().server()).values()).containsOnly(1L);
    }
  }

  @Test
  @DisplayName("functions are loaded once, on every master")
  void functions() {
    trial().requireFunctions();
    try (RateLimiters limiters = trial().connect(Trial.OPTIONS.functions(true))) {
      limiters.loadFunctions();
      RateLimiter limiter =
          limiters.limiter(Trial.unique(), Setting.lasting(Algorithm.LEAKY_BUCKET, 2));
      for (int i = 0; i < 50; i++) {
        assertThat(limiter.tryAcquire("subject-" + i).remaining()).isEqualTo(1);
        assertThat(limiter.peek("subject-" + i).remaining()).isEqualTo(1);
        assertThat(limiter.refund("subject-" + i, 1).remaining()).isEqualTo(2);
      }
    }
  }

  @Test
  @DisplayName("functions that are missing are a mistake, which is said and charges nothing")
  void missingFunctions() {
    trial().requireOurs();
    trial().requireFunctions();
    trial()
        .deployment()
        .masters()
        .forEach(master -> trial().server().expect(master, "FUNCTION", "FLUSH"));
    try (RateLimiters limiters = trial().connect(Trial.OPTIONS.functions(true))) {
      RateLimiter limiter =
          limiters.limiter(Trial.unique(), Setting.lasting(Algorithm.FIXED_WINDOW, 2));
      assertThatThrownBy(() -> limiter.tryAcquire("one"))
          .isInstanceOf(PenstockException.class)
          .hasMessageContaining("loadFunctions()");
    }
  }

  @Test
  @DisplayName("P2 a look on a replica, where it is asked for, sees what was charged")
  void lookOnReplica() {
    trial().requireFunctions();
    try (RateLimiters limiters = trial().connect(Trial.OPTIONS.peekOnReplicas(true))) {
      RateLimiter limiter =
          limiters.limiter(Trial.unique(), Setting.lasting(Algorithm.FIXED_WINDOW, 9));
      limiter.tryAcquire("one", 4);
      Await.until(
          "that the charge shows on a replica", REPLICATION, () -> remaining(limiter, "one") == 5);
      AtomicLong ofNobody = new AtomicLong();
      Await.until(
          "that a look is answered",
          REPLICATION,
          () -> {
            ofNobody.set(remaining(limiter, "nobody"));
            return ofNobody.get() != UNANSWERED;
          });
      assertThat(ofNobody).hasValue(9);
    }
  }

  /* A client that has just connected may not have found its replicas yet, or lose them once more. */
  private static long remaining(RateLimiter limiter, String subject) {
    try {
      return limiter.peek(subject).remaining();
    } catch (RuntimeException notYet) {
      return UNANSWERED;
    }
  }
}
