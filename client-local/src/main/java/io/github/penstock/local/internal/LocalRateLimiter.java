package io.github.penstock.local.internal;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.Usage;
import io.github.penstock.core.internal.waiting.BlockingAcquire;
import io.github.penstock.core.internal.waiting.WaitingQueue;
import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** The limiter over the state in this process. */
public final class LocalRateLimiter implements RateLimiter {
  private final LocalLimit limit;
  private final WaitingQueue line;

  public LocalRateLimiter(LocalLimit limit, WaitingQueue line) {
    this.limit = limit;
    this.line = line;
  }

  /** The key for which a call waits. Throws if the call itself is invalid. */
  String waitingKey(String subject, long cost) {
    return limit.policy().waitingKey(subject, cost);
  }

  @Override
  public String policy() {
    return limit.policy().name();
  }

  @Override
  public Limit limit() {
    return limit.policy().limit();
  }

  @Override
  public Decision tryAcquire(String subject, long cost) {
    return limit.tryAcquire(subject, cost);
  }

  @Override
  public Decision acquire(String subject, long cost, Duration atMost) throws InterruptedException {
    return new BlockingAcquire(
            line,
            waitingKey(subject, cost),
            () -> tryAcquire(subject, cost),
            late -> refund(subject, cost))
        .await(atMost);
  }

  @Override
  public AcquiredUnits tryAcquireUpTo(String subject, long max) {
    return limit.tryAcquireUpTo(subject, max);
  }

  @Override
  public List<Outcome> tryAcquireAll(Collection<String> subjects) {
    limit.policy().checkBatch("subjects", subjects);
    return subjects.stream().map(subject -> outcome(new SubjectCost(subject, 1))).toList();
  }

  @Override
  public List<Outcome> tryAcquireEach(List<SubjectCost> calls) {
    limit.policy().checkBatch("calls", calls);
    return calls.stream().map(this::outcome).toList();
  }

  private Outcome outcome(SubjectCost call) {
    try {
      return new Outcome.Decided(call.subject(), tryAcquire(call.subject(), call.cost()));
    } catch (RuntimeException e) {
      return new Outcome.Failed(call.subject(), e);
    }
  }

  @Override
  public Usage peek(String subject) {
    return limit.peek(subject);
  }

  @Override
  public Usage refund(String subject, long units) {
    return limit.refund(subject, units);
  }

  @Override
  public String toString() {
    return limit.policy().toString();
  }
}
