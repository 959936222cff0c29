package io.github.penstock.core.engine;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.waiting.StageAcquire;
import io.github.penstock.core.waiting.WaitingLine;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** The limiter over an asynchronous port. */
final class StageRateLimiter implements AsyncRateLimiter {
  private final LimitPolicy policy;
  private final AsyncCalls calls;
  private final WaitingLine line;

  StageRateLimiter(LimitPolicy policy, AsyncCalls calls, WaitingLine line) {
    this.policy = policy;
    this.calls = calls;
    this.line = line;
  }

  @Override
  public String policy() {
    return policy.name();
  }

  @Override
  public Limit limit() {
    return policy.limit();
  }

  @Override
  public CompletionStage<Decision> tryAcquire(String subject, long cost) {
    return calls.call(policy.charge(subject, cost), policy.decisions(subject, cost));
  }

  @Override
  public CompletionStage<Decision> acquire(String subject, long cost, Duration atMost) {
    return StageAcquire.begin(
        atMost,
        line,
        policy.key(subject),
        () -> tryAcquire(subject, cost),
        () -> refund(subject, cost));
  }

  @Override
  public CompletionStage<AcquiredUnits> tryAcquireUpTo(String subject, long max) {
    return calls.call(policy.chargeUpTo(subject, max), policy.acquired(subject, max));
  }

  @Override
  public CompletionStage<List<Outcome>> tryAcquireAll(Collection<String> subjects) {
    return tryAcquireEach(CallBatch.ofOneUnit(subjects));
  }

  @Override
  public CompletionStage<List<Outcome>> tryAcquireEach(List<SubjectCost> each) {
    CallBatch batch = new CallBatch(policy, each);
    List<AsyncCall<Decision>> started = calls.callAll(batch);
    CompletableFuture<List<Outcome>> outcomes =
        CompletableFuture.allOf(started.toArray(CompletableFuture[]::new))
            .handle((nothing, failure) -> settled(batch, started));
    outcomes.whenComplete(
        (settled, failure) -> {
          if (outcomes.isCancelled()) {
            started.forEach(call -> call.cancel(true));
          }
        });
    return outcomes;
  }

  @Override
  public CompletionStage<Usage> peek(String subject) {
    return calls.call(policy.peek(subject), policy.peeked(subject));
  }

  @Override
  public CompletionStage<Usage> refund(String subject, long units) {
    return calls.call(policy.refund(subject, units), policy.refunded(subject, units));
  }

  @Override
  public String toString() {
    return policy.toString();
  }

  private static List<Outcome> settled(CallBatch batch, List<AsyncCall<Decision>> settled) {
    for (int i = 0; i < settled.size(); i++) {
      AsyncCall<Decision> call = settled.get(i);
      batch.settle(i, () -> joined(call));
    }
    return batch.outcomes();
  }

  private static Decision joined(AsyncCall<Decision> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }
}
