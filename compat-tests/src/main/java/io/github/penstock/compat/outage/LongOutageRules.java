package io.github.penstock.compat.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.CallLoad;
import io.github.penstock.compat.load.CaseBounds;
import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.load.DistinctSubjects;
import io.github.penstock.compat.load.FaultCaseContext;
import io.github.penstock.compat.load.LoadCall;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.load.StallWatch;
import io.github.penstock.compat.near.ClientRules;
import io.github.penstock.compat.result.CaseResult;
import io.github.penstock.compat.result.CaseResultFile;
import io.github.penstock.compat.result.FaultCase;
import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.Decision;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.DirectCommands;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The calls that pass, and the charges, in outages of each kind. */
@ResourceLock(SharedDeployments.CLUSTER)
@ResourceLock(SharedDeployments.SENTINEL)
@LoadTest
public abstract class LongOutageRules extends ClientRules {
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final int THREADS = 16;

  private static final int FLOOD = 200_000;
  private static final Duration FLOOD_LENGTH = Duration.ofSeconds(30);
  private static final long MOST_HEAP = 64L << 20;

  /*
   * From limiters that allow calls in an outage: only these log, because no exception reports it.
   */
  private static final int LOGGED_THREADS = 2;

  private final String policy = UUID.randomUUID().toString();

  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName("one charge per call, none lost where the server loses none, and calls recover")
  void outages(LongOutage outage) throws InterruptedException {
    try (OutageCaseContext scene = outage.open();
        RateLimiters limiters = connect(scene, OnUnavailable.THROW);
        RateLimiters allowing = connect(scene, OnUnavailable.ALLOW);
        CallLoad load = CallLoad.onManySubjects(THREADS, calls(limiters));
        CallLoad logged = CallLoad.onOneSubject(LOGGED_THREADS, calls(allowing))) {
      load.awaitCalm();
      logged.awaitCalls(1);
      try (LoggedLines lines = LoggedLines.counting()) {
        scene.begin().run();
        load.during(LongOutage.LENGTH, 1);
        scene.end().run();
        long gone = System.nanoTime();
        load.awaitCalm();
        List<LoadCall> calls = load.finish();
        check(outage, scene, load, calls, gone, lines.count());
      }
    }
  }

  @Test
  @DisplayName("200,000 asynchronous calls through 30 s without an answer: little heap, none late")
  void flood() throws InterruptedException {
    try (OutageCaseContext scene =
            OutageCaseContext.single(ServerProcess::freeze, ServerProcess::thaw);
        RateLimiters limiters = connect(scene, OnUnavailable.THROW);
        StallWatch stalls = StallWatch.watching()) {
      if (!(limiters instanceof AsyncRateLimiters async)) {
        Assumptions.abort("optional: it offers no asynchronous limiters");
        return;
      }
      limiters.awaitConnected(DEADLINE.multipliedBy(10));
      PacedFlood flood = new PacedFlood(async.asyncLimiter(policy, ChargeCount.LIMIT));
      long before = PacedFlood.usedHeap();
      scene.begin().run();
      flood.make(FLOOD, FLOOD_LENGTH);
      scene.end().run();
      flood.awaitEnd(FLOOD);
      CaseResultFile.keep(result(flood, scene, stalls));
      assertThat(flood.failed()).as("failed calls of %d", FLOOD).isGreaterThan(FLOOD / 2);
      assertThat(flood.mostHeap() - before).as("bytes more").isLessThanOrEqualTo(MOST_HEAP);
      assertThat(Duration.ofNanos(flood.slowestNanos()))
          .isLessThanOrEqualTo(
              CaseBounds.longestCall(DEADLINE, Duration.ofNanos(stalls.longestNanos())));
    }
  }

  private CaseResult result(PacedFlood flood, OutageCaseContext scene, StallWatch stalls) {
    return new CaseResult(
        suiteClient().name(),
        scene.after().version(),
        FaultCase.FLOOD,
        true,
        1,
        TimeUnit.NANOSECONDS.toMicros(DEADLINE.toNanos()),
        FLOOD,
        flood.failed(),
        flood.unknown(),
        null,
        TimeUnit.NANOSECONDS.toMicros(flood.slowestNanos()),
        0,
        TimeUnit.NANOSECONDS.toMicros(stalls.longestNanos()),
        null,
        null);
  }

  private Function<String, Decision> calls(RateLimiters limiters) {
    return limiters.limiter(policy, ChargeCount.LIMIT)::tryAcquire;
  }

  private RateLimiters connect(OutageCaseContext scene, OnUnavailable choice) {
    RateLimiterOptions options =
        RateLimiterOptions.builder()
            .prefix(SubjectKey.PREFIX)
            .deadline(DEADLINE)
            .onUnavailable(choice)
            .onOverload(OnOverload.THROW)
            .build();
    return suiteClient().connector().connect(scene.endpoint(), options);
  }

  private void check(
      LongOutage outage,
      OutageCaseContext scene,
      CallLoad load,
      List<LoadCall> calls,
      long gone,
      long lines) {
    Map<String, Long> charges;
    try (DirectCommands commands = scene.after().commands()) {
      charges = ChargeCount.of(calls, policy, commands);
    }
    long lost = DistinctSubjects.lost(calls, charges);
    CaseResult result =
        new FaultCaseContext(
                suiteClient().name(),
                scene.after().version(),
                outage.fault(),
                false,
                THREADS,
                DEADLINE)
            .result(calls, charges, lost, gone, load.stalls())
            .withLogLines(lines);
    CaseResultFile.keep(result);
    if (outage.keepsCharges()) {
      DistinctSubjects.check(calls, charges);
    } else {
      DistinctSubjects.checkAtMost(calls, charges);
    }
    CaseBounds.check(result);
  }
}
