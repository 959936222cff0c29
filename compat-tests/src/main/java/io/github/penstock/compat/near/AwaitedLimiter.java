package io.github.penstock.compat.near;

import static io.github.penstock.compat.load.AsyncResults.value;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** An asynchronous limiter, whose stages are waited for. */
record AwaitedLimiter(AsyncRateLimiter limiter) implements RateLimiter {
  @Override
  public String policy() {
    return limiter.policy();
  }

  @Override
  public Limit limit() {
    return limiter.limit();
  }

  @Override
  public Decision tryAcquire(String subject, long cost) {
    return value(limiter.tryAcquire(subject, cost));
  }

  @Override
  public Decision acquire(String subject, long cost, Duration atMost) {
    return value(limiter.acquire(subject, cost, atMost));
  }

  @Override
  public AcquiredUnits tryAcquireUpTo(String subject, long max) {
    return value(limiter.tryAcquireUpTo(subject, max));
  }

  @Override
  public List<Outcome> tryAcquireAll(Collection<String> subjects) {
    return value(limiter.tryAcquireAll(subjects));
  }

  @Override
  public List<Outcome> tryAcquireEach(List<SubjectCost> calls) {
    return value(limiter.tryAcquireEach(calls));
  }

  @Override
  public Usage peek(String subject) {
    return value(limiter.peek(subject));
  }

  @Override
  public Usage refund(String subject, long units) {
    return value(limiter.refund(subject, units));
  }
}
