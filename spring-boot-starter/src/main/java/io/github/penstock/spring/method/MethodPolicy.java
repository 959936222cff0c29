package io.github.penstock.spring.method;

import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.spring.request.PlanLimit;
import io.github.penstock.spring.request.PolicyAnswer;
import java.time.Duration;

/**
 * A policy of methods.
 *
 * @param name its name
 * @param limiters on which it is decided
 * @param limit its limit, with a blocking limiter
 * @param deadline how long a decision may take
 */
public record MethodPolicy(
    String name, RateLimiters limiters, PlanLimit<RateLimiter> limit, Duration deadline) {
  Limit rate() {
    return limit.limit();
  }

  /** Asks for units; throws if they are denied, or if there is no decision. */
  void acquire(String subject, long cost) {
    PolicyAnswer answer;
    try {
      answer = new PolicyAnswer(limit.limiter().tryAcquire(subject, cost), limit);
    } catch (RuntimeException failure) {
      throw undecided(failure);
    }
    check(answer);
  }

  void check(PolicyAnswer answer) {
    if (!answer.allowed()) {
      throw new RateLimitedException(name, answer, null);
    }
  }

  RateLimitedException undecided(Throwable failure) {
    return new RateLimitedException(
        name, PolicyAnswer.undecided(name, limit, deadline, failure), failure);
  }
}
