package io.github.penstock.core.internal.engine;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.Usage;
import io.github.penstock.core.internal.plan.CallDriver;
import io.github.penstock.core.internal.plan.CallPlanner;
import io.github.penstock.core.internal.plan.LeasedCall;
import io.github.penstock.core.internal.plan.ReplyReader;
import io.github.penstock.core.internal.waiting.BlockingAcquire;
import io.github.penstock.core.internal.waiting.WaitingQueue;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.ScriptCall;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The limiter over a blocking transport. */
public final class BlockingRateLimiter implements RateLimiter {
  private final CallPlanner planner;
  private final BlockingCalls calls;
  private final WaitingQueue line;
  private final CallDriver<Decision, Decision> decisions;
  private final CallDriver<AcquiredUnits, AcquiredUnits> acquisitions;
  private final CallDriver<Usage, Usage> usages;

  public BlockingRateLimiter(CallPlanner planner, BlockingCalls calls, WaitingQueue line) {
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
  public Decision tryAcquire(String subject, long cost) {
    return planner.tryAcquire(
        planner.policy().charge(subject, cost),
        subject,
        cost,
        decisions,
        BlockingRateLimiter::await);
  }

  private static @Nullable Decision await(LeasedCall leased) {
    leased.await();
    return null;
  }

  @Override
  public Decision acquire(String subject, long cost, Duration atMost) throws InterruptedException {
    return new BlockingAcquire(
            line,
            planner.policy().waitingKey(subject, cost),
            () -> tryAcquire(subject, cost),
            admitted -> giveBack(subject, cost, admitted))
        .await(atMost);
  }

  private void giveBack(String subject, long cost, Decision admitted) {
    if (!planner.givesBackHere(subject, cost, admitted)) {
      refund(subject, cost);
    }
  }

  @Override
  public AcquiredUnits tryAcquireUpTo(String subject, long max) {
    return planner.tryAcquireUpTo(subject, max, acquisitions);
  }

  @Override
  public List<Outcome> tryAcquireAll(Collection<String> subjects) {
    return outcomes(CallBatch.ofSubjects(planner, subjects));
  }

  @Override
  public List<Outcome> tryAcquireEach(List<SubjectCost> each) {
    return outcomes(CallBatch.of(planner, each));
  }

  private List<Outcome> outcomes(CallBatch batch) {
    try {
      List<@Nullable Object> outcomes = calls.callAll(batch.calls());
      for (int i = 0; i < outcomes.size(); i++) {
        ScriptCall call = batch.calls().get(i);
        Object outcome = outcomes.get(i);
        ReplyReader<Decision> reader = batch.reader(i);
        batch.settle(i, () -> calls.read(call, outcome, reader));
      }
    } finally {
      batch.end();
    }
    return batch.outcomes();
  }

  @Override
  public Usage peek(String subject) {
    return planner.peek(subject, usages);
  }

  @Override
  public Usage refund(String subject, long units) {
    return planner.refund(subject, units, usages);
  }

  @Override
  public String toString() {
    return planner.policy().toString();
  }
}
