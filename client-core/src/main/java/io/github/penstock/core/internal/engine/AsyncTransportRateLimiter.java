package io.github.penstock.core.internal.engine;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.Usage;
import io.github.penstock.core.internal.plan.CallDriver;
import io.github.penstock.core.internal.plan.CallPlanner;
import io.github.penstock.core.internal.plan.LeasedCall;
import io.github.penstock.core.internal.waiting.AsyncAcquire;
import io.github.penstock.core.internal.waiting.WaitingQueue;
import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The limiter over an asynchronous transport. */
public final class AsyncTransportRateLimiter implements AsyncRateLimiter {
  private final CallPlanner planner;
  private final AsyncCalls calls;
  private final WaitingQueue line;
  private final CallDriver<Decision, CompletableFuture<Decision>> decisions;
  private final CallDriver<AcquiredUnits, CompletableFuture<AcquiredUnits>> acquisitions;
  private final CallDriver<Usage, CompletableFuture<Usage>> usages;
  private final Function<LeasedCall, CompletableFuture<Decision>> following = this::follow;

  public AsyncTransportRateLimiter(CallPlanner planner, AsyncCalls calls, WaitingQueue line) {
    this.planner = planner;
    this.calls = calls;
    this.line = line;
    decisions = calls.driver();
    acquisitions = calls.driver();
    usages = calls.driver();
  }

  @Override
  public String policy() {
    return planner.policy().name();
  }

  @Override
  public Limit limit() {
    return planner.policy().limit();
  }

  @Override
  public CompletionStage<Decision> tryAcquire(String subject, long cost) {
    return planner.tryAcquire(
        planner.policy().charge(subject, cost), subject, cost, decisions, following);
  }

  private CompletableFuture<Decision> follow(LeasedCall leased) {
    return new FollowingStage(planner, calls, leased).after(Objects.requireNonNull(leased.other()));
  }

  @Override
  public CompletionStage<Decision> acquire(String subject, long cost, Duration atMost) {
    return AsyncAcquire.begin(
        atMost,
        line,
        planner.policy().waitingKey(subject, cost),
        () -> tryAcquire(subject, cost),
        admitted ->
            planner.givesBackHere(subject, cost, admitted)
                ? CompletableFuture.completedFuture(admitted)
                : refund(subject, cost),
        calls.completing());
  }

  @Override
  public CompletionStage<AcquiredUnits> tryAcquireUpTo(String subject, long max) {
    return planner.tryAcquireUpTo(subject, max, acquisitions);
  }

  @Override
  public CompletionStage<List<Outcome>> tryAcquireAll(Collection<String> subjects) {
    return calls.send(CallBatch.ofSubjects(planner, subjects));
  }

  @Override
  public CompletionStage<List<Outcome>> tryAcquireEach(List<SubjectCost> each) {
    return calls.send(CallBatch.of(planner, each));
  }

  @Override
  public CompletionStage<Usage> peek(String subject) {
    return planner.peek(subject, usages);
  }

  @Override
  public CompletionStage<Usage> refund(String subject, long units) {
    return planner.refund(subject, units, usages);
  }

  @Override
  public String toString() {
    return planner.policy().toString();
  }
}
