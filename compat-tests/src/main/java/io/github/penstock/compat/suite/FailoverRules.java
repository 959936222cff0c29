package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.model.Algorithm;
import io.github.penstock.compat.server.ServerProcess;
import io.github.penstock.compat.topology.SentinelGroup;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A primary that is killed while its keys are charged. */
abstract class FailoverRules {
  private static final int THREADS = 16;
  private static final long LIMIT = 1_000;
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  abstract Trial trial();

  @Test
  @DisplayName("errors only until the replica has taken over, and few units admitted twice")
  void failover() throws InterruptedException {
    SentinelGroup group = (SentinelGroup) trial().deployment();
    try (RateLimiters limiters = trial().connect(Trial.OPTIONS.deadline(DEADLINE))) {
      RateLimiter limiter =
          limiters.limiter(Trial.unique(), Setting.lasting(Algorithm.TOKEN_BUCKET, LIMIT));
      try (Load load = Load.onOneSubject(THREADS, limiter::tryAcquire)) {
        load.during(Duration.ofMillis(150));
        ServerProcess primary = group.primary();
        String version = primary.version();
        long killed = System.nanoTime();
        primary.kill();
        try {
          group.awaitPrimaryOtherThan(primary);
          long promoted = System.nanoTime();
          List<Load.Call> calls = load.finishCalm();
          check(calls, killed, promoted, load.longestStallNanos(), version);
        } finally {
          group.repair(primary);
        }
      }
    }
  }

  private void check(
      List<Load.Call> calls, long killed, long promoted, long stall, String version) {
    long admitted = calls.stream().filter(Load.Call::admitted).count();
    CaseResult.Scene scene =
        new CaseResult.Scene(
            trial().client(), version, "primary killed", THREADS, DEADLINE, promoted, stall);
    CaseResult result =
        CaseResult.of(scene, calls, null).overAdmitted(Math.max(0, admitted - LIMIT));
    CaseResults.keep(result);
    Load.expectNone(
        "failed before the primary was killed",
        calls,
        call -> call.failedWithin(Long.MIN_VALUE, killed));
    assertThat(calls.stream().filter(call -> call.failed() && call.startNanos() > killed))
        .as("calls that failed while there was no primary")
        .isNotEmpty();
    assertThat(calls.stream().filter(call -> !call.failed() && call.startNanos() > promoted))
        .as("calls that were decided by the replica")
        .isNotEmpty();
    assertThat(calls.get(calls.size() - 1).failed()).as("the last call failed").isFalse();
    Deadlines.check(result, trial().longestRecovery());
    assertThat(result.overAdmitted()).as("units admitted above the limit").isLessThan(LIMIT);
  }
}
