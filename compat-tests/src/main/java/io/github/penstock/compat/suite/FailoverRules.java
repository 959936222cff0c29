package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.AsyncResults;
import io.github.penstock.compat.load.CallLoad;
import io.github.penstock.compat.load.CaseBounds;
import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.load.FaultCaseContext;
import io.github.penstock.compat.load.LoadCall;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.load.StallWatch;
import io.github.penstock.compat.result.CaseResult;
import io.github.penstock.compat.result.CaseResultFile;
import io.github.penstock.compat.result.FaultCase;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.server.CommandCount;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.SentinelGroup;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A primary that is killed, or replaced, while its keys are charged. */
@LoadTest
abstract class FailoverRules extends SuiteRules {
  private static final int THREADS = 16;
  private static final long LIMIT = 1_000;
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  /**
   * Sentinels and their clients tell each other once a second; the old primary goes on for 10 s.
   */
  private static final Duration SENTINELS_SECOND = Duration.ofSeconds(2);

  /** In each thread, so that half of the limit is used when the primary dies. */
  private static final int CALLS_BEFORE = (int) LIMIT / 2 / THREADS;

  private static final Duration REMEMBERED = Duration.ofMillis(200);

  @Test
  @DisplayName(
      "N3 errors only until the replica has taken over, few units admitted twice, and no denial of the old one")
  void failover() throws InterruptedException {
    SentinelGroup group = (SentinelGroup) trial().deployment();
    RateLimiterOptions options = AdapterTrial.OPTIONS.toBuilder().deadline(DEADLINE).build();
    try (RateLimiters limiters = trial().connect(options);
        RateLimiters remembering =
            trial().connect(options.toBuilder().rememberDenials(REMEMBERED).build())) {
      RateLimiter limiter = AdapterTrial.limiter(limiters, ScriptAlgorithm.TOKEN_BUCKET, LIMIT);
      AdapterTrial.awaitConnection(limiters);
      RateLimiter one = AdapterTrial.limiter(remembering, ScriptAlgorithm.TOKEN_BUCKET, 1);
      ServerEvents.await("a denial")
          .ignoreExceptions()
          .until(() -> !one.tryAcquire("one").allowed());
      long told = System.nanoTime();
      try (CallLoad load = CallLoad.onOneSubject(THREADS, limiter::tryAcquire)) {
        load.awaitCalm(CALLS_BEFORE);
        ServerProcess primary = group.primary();
        String version = primary.version();
        long killed = System.nanoTime();
        primary.kill();
        try {
          group.awaitPrimaryOtherThan(primary);
          long promoted = System.nanoTime();
          load.awaitCalm();
          List<LoadCall> calls = load.finish();
          check(calls, killed, promoted, load.stalls(), version);
          TimeUnit.NANOSECONDS.sleep(told + REMEMBERED.toNanos() - System.nanoTime());
          assertThat(ServerEvents.firstResult("a decision", () -> one.tryAcquire("one")).source())
              .isEqualTo(DecisionSource.SERVER);
        } finally {
          group.repair(primary);
        }
      }
    }
  }

  @Test
  @DisplayName(
      "once all sentinels name another primary, the old one, which works, gets no more calls")
  void plannedFailover() throws InterruptedException {
    SentinelGroup group = (SentinelGroup) trial().deployment();
    RateLimiterOptions options = AdapterTrial.OPTIONS.toBuilder().deadline(DEADLINE).build();
    try (RateLimiters limiters = trial().connect(options);
        CallLoad load = CallLoad.onManySubjects(THREADS, callsOfEachForm(limiters))) {
      load.awaitCalm();
      ServerProcess old = group.primary();
      group.failover();
      load.during(SENTINELS_SECOND, 1);
      load.awaitCalm();
      CommandCount before = CommandCount.of(old, "evalsha");
      load.awaitCalm();
      assertThat(CommandCount.of(old, "evalsha").calls() - before.calls())
          .as("calls that the old primary got, apart from checks whether it answers")
          .isLessThanOrEqualTo(trial().mostChecks(limiters));
      load.finish();
    } finally {
      group.awaitWhole();
    }
  }

  /** Every other call is asynchronous, if the client has such. */
  private static Function<String, Decision> callsOfEachForm(RateLimiters limiters) {
    String policy = AdapterTrial.unique();
    RateLimiter limiter = limiters.limiter(policy, ChargeCount.LIMIT);
    if (limiters instanceof AsyncRateLimiters async) {
      AsyncRateLimiter stages = async.asyncLimiter(policy, ChargeCount.LIMIT);
      return subject ->
          subject.hashCode() % 2 == 0
              ? limiter.tryAcquire(subject)
              : AsyncResults.value(stages.tryAcquire(subject));
    }
    return limiter::tryAcquire;
  }

  private void check(
      List<LoadCall> calls, long killed, long promoted, StallWatch stalls, String version) {
    long admitted = calls.stream().filter(LoadCall::admitted).count();
    FaultCaseContext scene =
        new FaultCaseContext(
            trial().client(), version, FaultCase.PRIMARY_KILLED, false, THREADS, DEADLINE);
    long above = Math.max(0, admitted - LIMIT);
    CaseResult result = scene.result(calls, null, above, promoted, stalls);
    CaseResultFile.keep(result);
    /* One that ran out of its deadline was kept from running by a busy machine. */
    CallLoad.expectNone(
        "failed before the primary was killed",
        calls,
        call ->
            call.failed()
                && call.endNanos() < killed
                && !CaseBounds.waitedToTheEnd(call, DEADLINE));
    /* A call may wait for its deadline, and a machine that stalls that long hides every failure. */
    if (promoted - killed > 2 * DEADLINE.toNanos() && stalls.longestNanos() < DEADLINE.toNanos()) {
      assertThat(calls.stream().filter(call -> call.failed() && call.startNanos() > killed))
          .as("calls that failed while there was no primary")
          .isNotEmpty();
    }
    assertThat(calls.stream().filter(call -> !call.failed() && call.startNanos() > promoted))
        .as("calls that were decided by the replica")
        .isNotEmpty();
    CaseBounds.check(result);
    assertThat(above).as("units admitted above the limit").isLessThan(LIMIT);
  }
}
