package io.github.penstock.compat.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.AsyncResults;
import io.github.penstock.compat.load.CallLoad;
import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.load.LoadCall;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.load.TimedFlood;
import io.github.penstock.compat.near.ServerRules;
import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.FreePorts;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A full bound is not an outage while the server answers, and is one when it answers no calls. */
@LoadTest(callsPerSecond = 5_000)
@ResourceLock(LoadTest.MACHINE)
public abstract class OverloadRules extends ServerRules {
  private static final int CALLS = 100_000;
  private static final int LARGE = 10_000;
  private static final List<SubjectCost> LARGE_BATCH =
      Collections.nCopies(LARGE, new SubjectCost("u", 1));
  private static final int LIMIT = 100;
  private static final int FEW_CALLS = 10;
  private static final Limit FEW = LimitSetting.lasting(ScriptAlgorithm.TOKEN_BUCKET, LIMIT);
  private static final Duration PATIENT = Duration.ofMinutes(10);
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  @Test
  @DisplayName("of 100,000 calls at once on a server that answers none is admitted over the limit")
  void healthy() {
    for (ScenarioChoice choice : ScenarioChoice.DENYING) {
      try (RateLimiters limiters = connect(server.url(), choice, PATIENT)) {
        AsyncRateLimiter limiter =
            async(limiters).asyncLimiter("flood-" + choice.onUnavailable(), FEW);
        awaitConnection(limiters);
        List<LoadCall> calls = TimedFlood.of(CALLS, null, limiter::tryAcquire);
        if (choice.isOpen()) {
          FailureCheck.keep(suiteClient(), "100,000 calls at once, limit 100", calls);
        }
        CallLoad.expectNone("failed", calls, LoadCall::failed);
        CallLoad.expectNone("were admitted by nobody", calls, FailureCheck::isOpen);
        assertThat(calls.stream().filter(LoadCall::admitted)).hasSize(LIMIT);
      }
    }
  }

  @Test
  @DisplayName(
      "of 100,000 calls at once on a stopped server none is denied for a bound that is full")
  void stopped() {
    try (RateLimiters limiters = connect(server.url(), ScenarioChoice.ALLOW, DEADLINE)) {
      AsyncRateLimiter limiter = async(limiters).asyncLimiter("flood", ChargeCount.LIMIT);
      awaitConnection(limiters);
      server.freeze();
      /* Until the first call has waited for its whole deadline, the last answer is younger than that. */
      List<LoadCall> first = TimedFlood.of(1, "first-", limiter::tryAcquire);
      List<LoadCall> calls = TimedFlood.of(CALLS, "later-", limiter::tryAcquire);
      FailureCheck.keep(suiteClient(), "100,000 calls at once, server stopped", calls);
      CallLoad.expectNone("were not allowed", first, call -> !FailureCheck.isOpen(call));
      CallLoad.expectNone("were not allowed", calls, call -> !FailureCheck.isOpen(call));
      server.kill();
    }
  }

  @Test
  @DisplayName("the late calls of a large batch of which others were answered open no limit")
  void largeBatch() {
    halfAnswered(OverloadRules::blocking);
  }

  @Test
  @DisplayName(
      "the late calls of a large asynchronous batch of which others were answered open no limit")
  void largeAsyncBatch() {
    halfAnswered(OverloadRules::staged);
  }

  private void halfAnswered(BiFunction<RateLimiters, List<SubjectCost>, List<Outcome>> form) {
    try (FaultProxy proxy = FaultProxy.before(server.url());
        RateLimiters limiters = connect(proxy.url(), ScenarioChoice.ALLOW, DEADLINE)) {
      awaitConnection(limiters);
      limiters.limiter("batch", FEW).peek("u");
      proxy.setOnce(NetworkFault.REPLY_DROPPED, LARGE / 2);
      List<Decision> decisions =
          form.apply(limiters, LARGE_BATCH).stream().map(Outcome::decision).toList();
      assertThat(decisions.stream().map(Decision::source).distinct())
          .containsExactlyInAnyOrder(DecisionSource.SERVER, DecisionSource.OVERLOADED);
      assertThat(decisions.stream().filter(Decision::allowed)).hasSizeLessThanOrEqualTo(LIMIT);
    }
  }

  @Test
  @DisplayName("of a large batch on a stopped server none is denied")
  void stoppedBatch() {
    allOpen(OverloadRules::blocking);
  }

  @Test
  @DisplayName("of a large asynchronous batch on a stopped server none is denied")
  void stoppedAsyncBatch() {
    allOpen(OverloadRules::staged);
  }

  private void allOpen(BiFunction<RateLimiters, List<SubjectCost>, List<Outcome>> form) {
    try (RateLimiters limiters = connect(server.url(), ScenarioChoice.ALLOW, DEADLINE)) {
      awaitConnection(limiters);
      server.freeze();
      assertThat(form.apply(limiters, LARGE_BATCH))
          .hasSize(LARGE)
          .allMatch(outcome -> FailureCheck.isOpen(outcome.decision()));
      server.kill();
    }
  }

  private static List<Outcome> blocking(RateLimiters limiters, List<SubjectCost> calls) {
    return limiters.limiter("batch", FEW).tryAcquireEach(calls);
  }

  private static List<Outcome> staged(RateLimiters limiters, List<SubjectCost> calls) {
    return AsyncResults.value(async(limiters).asyncLimiter("batch", FEW).tryAcquireEach(calls));
  }

  @Test
  @DisplayName("an answer that came, and that this process has no time to read, is no outage")
  void unread() {
    try (RateLimiters limiters = connect(server.url(), ScenarioChoice.ALLOW, DEADLINE)) {
      AsyncRateLimiter limiter = async(limiters).asyncLimiter("unread", ChargeCount.LIMIT);
      awaitConnection(limiters);
      server.freeze();
      CompletableFuture<?> busy =
          limiter.tryAcquire("first").thenAccept(decision -> pause()).toCompletableFuture();
      server.thaw();
      List<LoadCall> calls = TimedFlood.of(FEW_CALLS, "next-", limiter::tryAcquire);
      busy.join();
      CallLoad.expectNone("were admitted by nobody", calls, FailureCheck::isOpen);
      List<LoadCall> after = TimedFlood.of(FEW_CALLS, "after-", limiter::tryAcquire);
      CallLoad.expectNone(
          "were not decided", after, call -> FailureCheck.isOpen(call) || !call.admitted());
    }
  }

  @Test
  @DisplayName(
      "where nothing listens, none of many calls at once says that it may have been charged")
  void nothingListens() {
    RedisUrl nowhere = RedisUrl.local(FreePorts.next());
    try (RateLimiters limiters = connect(nowhere, ScenarioChoice.THROW, DEADLINE)) {
      AsyncRateLimiter limiter = async(limiters).asyncLimiter("flood", ChargeCount.LIMIT);
      RateLimiter blocking = limiters.limiter("flood", ChargeCount.LIMIT);
      ServerEvents.await("the end of the first attempt to connect")
          .until(() -> isNotSent(LoadCall.make("first", blocking::tryAcquire)));
      List<LoadCall> calls = TimedFlood.of(CALLS, "none-", limiter::tryAcquire);
      CallLoad.expectNone(
          "say anything else than that they were not sent", calls, call -> !isNotSent(call));
    }
  }

  /* On the thread that reads the answers, which it must not do. */
  private static void pause() {
    LockSupport.parkNanos(DEADLINE.multipliedBy(2).toNanos());
  }

  private static boolean isNotSent(LoadCall call) {
    return ExpectedAnswer.NOT_SENT.fits(call, ScenarioChoice.THROW);
  }

  private static void awaitConnection(RateLimiters limiters) {
    ServerEvents.firstResult(
        "a connection", () -> limiters.limiter("connection", ChargeCount.LIMIT).peek("u"));
  }

  private static AsyncRateLimiters async(RateLimiters limiters) {
    return limiters instanceof AsyncRateLimiters async
        ? async
        : Assumptions.abort("optional: it offers no asynchronous limiters");
  }

  private RateLimiters connect(RedisUrl url, ScenarioChoice choice, Duration deadline) {
    return connect(url, choice.options(deadline));
  }
}
