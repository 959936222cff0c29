package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.load.CallLoad;
import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.load.LoadCall;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Servers that do not know the scripts, or lose them. */
abstract class ScriptRules extends SuiteRules {
  /** Of each thread. */
  private static final int CALLS_PER_FLUSH = 3;

  @Test
  @DisplayName("NOSCRIPT under load is never seen by a caller, and every call is charged once")
  void flushedUnderLoad() throws InterruptedException {
    trial().requireOurs();
    String policy = AdapterTrial.unique();
    RateLimiter limiter = trial().limiters().limiter(policy, ChargeCount.LIMIT);
    try (CallLoad load = CallLoad.onManySubjects(16, limiter::tryAcquire)) {
      for (int i = 0; i < 40; i++) {
        load.awaitCalls(CALLS_PER_FLUSH);
        trial().deployment().flushScripts();
      }
      load.awaitCalls(CALLS_PER_FLUSH);
      List<LoadCall> calls = load.finish();
      CallLoad.expectNone("failed", calls, LoadCall::failed);
      assertThat(ChargeCount.of(calls, policy, trial().server()).values()).containsOnly(1L);
    }
  }

  @Test
  @DisplayName("functions are loaded once, on every master")
  void functions() {
    try (RateLimiters limiters = trial().connectForFunctions()) {
      limiters.loadFunctions();
      limiters.loadFunctions();
      RateLimiter limiter = AdapterTrial.limiter(limiters, ScriptAlgorithm.LEAKY_BUCKET, 2);
      assertThat(limiter.tryAcquireAll(List.of("twice", "once", "twice", "twice")))
          .filteredOn(outcome -> outcome.decision().allowed())
          .extracting(Outcome::subject)
          .containsExactlyInAnyOrder("twice", "once", "twice");
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
    try (RateLimiters limiters = trial().connectForFunctions()) {
      RateLimiter limiter = AdapterTrial.limiter(limiters, ScriptAlgorithm.FIXED_WINDOW, 2);
      assertThatThrownBy(() -> limiter.tryAcquire("one"))
          .isInstanceOf(PenstockException.class)
          .hasMessageContaining("loadFunctions()");
    }
  }

  @Test
  @DisplayName("P2 a peek on a replica, where it is asked for, sees what was charged")
  void peekOnReplica() {
    trial().requireFunctions();
    peekOnReplica(AdapterTrial.OPTIONS);
  }

  @Test
  @DisplayName("P2 so does one by function")
  void peekOnReplicaByFunction() {
    trial().requireFunctions();
    peekOnReplica(AdapterTrial.WITH_FUNCTIONS);
  }

  private void peekOnReplica(RateLimiterOptions given) {
    RateLimiterOptions options =
        given.toBuilder().peekOnReplicas(true).deadline(Duration.ofSeconds(15)).build();
    try (RateLimiters limiters = trial().connect(options)) {
      if (options.functions()) {
        limiters.loadFunctions();
      }
      RateLimiter limiter = AdapterTrial.limiter(limiters, ScriptAlgorithm.FIXED_WINDOW, 9);
      limiter.tryAcquire("one", 4);
      trial().deployment().awaitReplication();
      assertThat(remaining(limiter, "one")).isEqualTo(5);
      assertThat(remaining(limiter, "nobody")).isEqualTo(9);
    }
  }

  /* A client that has just connected may not have found its replicas yet: only a peek that is not answered is repeated. */
  private static long remaining(RateLimiter limiter, String subject) {
    return ServerEvents.firstResult("an answer", () -> limiter.peek(subject)).remaining();
  }
}
