package io.github.penstock.compat.failure;

import io.github.penstock.compat.load.AsyncResults;
import io.github.penstock.compat.load.CallLoad;
import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.load.ConcurrentRun;
import io.github.penstock.compat.load.LoadCall;
import io.github.penstock.compat.near.SuiteClient;
import io.github.penstock.compat.result.CaseResultFile;
import io.github.penstock.compat.result.ChoiceResult;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.Decision;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.testkit.topology.ServerEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls of limiters under one choice, in every form that they have: blocking, asynchronous, and in
 * batches.
 *
 * @param choice for an outage
 * @param limiters that make the calls
 */
record ChoiceCalls(OnUnavailable choice, RateLimiters limiters) {
  /** A subject of one letter, and one of all the words by which errors are classified. */
  static final List<String> SUBJECTS = List.of("u", ErrorVectors.WORDS);

  private static final String POLICY = "failures";
  private static final int DECIDED = 20;

  /** Makes calls once there is a connection; the server must decide every one of them. */
  void expectDecisions() throws Exception {
    RateLimiter limiter = limiters.limiter(POLICY, ChargeCount.LIMIT);
    ServerEvents.firstResult("a connection", () -> limiter.peek("u"));
    List<LoadCall> calls = new ArrayList<>();
    while (calls.size() < DECIDED) {
      calls.addAll(make(SUBJECTS));
    }
    CallLoad.expectNone(
        "were not decided before anything was wrong", calls, call -> !call.admitted());
  }

  /** Makes calls until one of them fits. */
  void awaitFirst(ExpectedAnswer answer) {
    ServerEvents.await("the first call that ends with " + answer)
        .atMost(answer.deadline().plusSeconds(20))
        .until(() -> make(SUBJECTS).stream().anyMatch(call -> answer.fits(call, choice)));
  }

  /** Makes calls of every form for each of the subjects, all at once. */
  List<LoadCall> make(List<String> subjects) throws Exception {
    List<Function<String, Decision>> forms = forms();
    int calls = forms.size() * subjects.size();
    return ConcurrentRun.each(
        calls,
        1,
        (number, one) ->
            LoadCall.make(subjects.get(number / forms.size()), forms.get(number % forms.size())));
  }

  /** Keeps for the page of all clients how calls under {@link OnUnavailable#ALLOW} ended. */
  static void keep(SuiteClient client, String failure, List<LoadCall> calls) {
    long open = calls.stream().filter(ChoiceCalls::isOpen).count();
    long thrown = calls.stream().filter(LoadCall::failed).count();
    long admitted = calls.stream().filter(LoadCall::admitted).count();
    long denied = calls.size() - open - thrown - admitted;
    CaseResultFile.keep(
        new ChoiceResult(client.name(), failure, calls.size(), open, denied, thrown));
  }

  /** Returns whether a call was allowed though no server decided it. */
  static boolean isOpen(LoadCall call) {
    return isOpen(call.decision());
  }

  /** The check of a call's answer; null if it failed. */
  static boolean isOpen(@Nullable Decision decision) {
    return decision != null && decision.allowed() && !decision.enforced();
  }

  private List<Function<String, Decision>> forms() {
    RateLimiter limiter = limiters.limiter(POLICY, ChargeCount.LIMIT);
    List<Function<String, Decision>> forms = new ArrayList<>();
    forms.add(limiter::tryAcquire);
    forms.add(subject -> last(limiter.tryAcquireEach(two(subject))));
    if (limiters instanceof AsyncRateLimiters async) {
      AsyncRateLimiter stages = async.asyncLimiter(POLICY, ChargeCount.LIMIT);
      forms.add(subject -> AsyncResults.value(stages.tryAcquire(subject)));
      forms.add(subject -> last(AsyncResults.value(stages.tryAcquireEach(two(subject)))));
    }
    return forms;
  }

  private static List<SubjectCost> two(String subject) {
    return List.of(new SubjectCost(subject, 1), new SubjectCost(subject, 2));
  }

  private static Decision last(List<Outcome> outcomes) {
    return outcomes.get(outcomes.size() - 1).decision();
  }
}
