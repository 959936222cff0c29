package io.github.penstock.core.engine;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.waiting.BlockingAcquire;
import io.github.penstock.core.waiting.WaitingQueue;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The limiter over a blocking transport. */
final class BlockingRateLimiter implements RateLimiter {
  private final LimitPolicy policy;
  private final BlockingCalls calls;
  private final WaitingQueue line;

  BlockingRateLimiter(LimitPolicy policy, BlockingCalls calls, WaitingQueue line) {
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
  public Decision tryAcquire(String subject, long cost) {
    ScriptCall call = policy.charge(subject, cost);
    LeasedCall leased = policy.leased(call, subject, cost);
    if (leased != null) {
      return tryAcquire(leased);
    }
    Decision known = policy.known(call, subject, cost);
    return known != null ? known : calls.call(call, policy.decisions(subject, cost));
  }

  private Decision tryAcquire(LeasedCall leased) {
    Decision here = leased.decide();
    while (here == null && leased.mustWait()) {
      leased.await();
      here = leased.decide();
    }
    leased.waitedEnough();
    if (here != null) {
      return here;
    }
    try {
      return calls.call(leased.toSend(), leased);
    } finally {
      leased.end();
    }
  }

  @Override
  public Decision acquire(String subject, long cost, Duration atMost) throws InterruptedException {
    return new BlockingAcquire(
            line,
            policy.waitingKey(subject, cost),
            () -> tryAcquire(subject, cost),
            admitted -> giveBack(subject, cost, admitted))
        .await(atMost);
  }

  private void giveBack(String subject, long cost, Decision admitted) {
    if (!policy.givesBackHere(subject, cost, admitted)) {
      refund(subject, cost);
    }
  }

  @Override
  public AcquiredUnits tryAcquireUpTo(String subject, long max) {
    ScriptCall call = policy.chargeUpTo(subject, max);
    AcquiredUnits known = policy.knownUpTo(call, subject, max);
    return known != null ? known : calls.call(call, policy.acquired(subject, max));
  }

  @Override
  public List<Outcome> tryAcquireAll(Collection<String> subjects) {
    return tryAcquireEach(CallBatch.ofOneUnit(subjects));
  }

  @Override
  public List<Outcome> tryAcquireEach(List<SubjectCost> each) {
    CallBatch batch = new CallBatch(policy, calls.breaker(), each);
    try {
      List<@Nullable Object> outcomes = calls.callAll(batch.calls());
      for (int i = 0; i < outcomes.size(); i++) {
        ScriptCall call = batch.calls().get(i);
        Object outcome = outcomes.get(i);
        ReplyReader<Decision> reading = batch.reading(i);
        batch.settle(i, () -> calls.read(call, outcome, reading));
      }
    } finally {
      batch.end();
    }
    return batch.outcomes();
  }

  @Override
  public Usage peek(String subject) {
    return calls.call(policy.peek(subject), policy.peeked(subject));
  }

  @Override
  public Usage refund(String subject, long units) {
    return calls.call(policy.refund(subject, units), policy.refunded(subject, units));
  }

  @Override
  public String toString() {
    return policy.toString();
  }
}
