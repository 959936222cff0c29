package io.github.penstock.spring.request;

import io.github.penstock.core.RateLimiter;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A policy of HTTP requests. Nothing of it opens: what a request lacks makes it count for its
 * address, by the strictest plan, at a cost of 1; what fails is a denial. Immutable.
 *
 * @param name the policy's name
 * @param requests which requests it is about
 * @param skip an expression that is true for requests that are not counted, or null
 * @param subject whom they count for
 * @param cost what they cost
 * @param limits what they are under
 * @param dryRun whether a denial lets the request go on
 * @param deadline how long a decision may take
 * @param <R> the request
 * @param <L> the limiter: {@link RateLimiter} or {@link ReactiveLimiter}
 */
public record RequestPolicy<R, L>(
    String name,
    Predicate<R> requests,
    @Nullable RequestExpression skip,
    RequestSubject<R> subject,
    RequestCost cost,
    PlanLimits<L> limits,
    boolean dryRun,
    Duration deadline) {
  /** Returns whether this request is to be counted; one whose path cannot be read is. */
  boolean counts(R request) {
    return isAbout(request) && (skip == null || !Boolean.TRUE.equals(skip.value(request)));
  }

  private boolean isAbout(R request) {
    try {
      return requests.test(request);
    } catch (RuntimeException unreadable) {
      return true;
    }
  }

  /** The answer to a request that no limit could decide about: a denial. */
  PolicyAnswer undecided(PlanLimit<L> limit, Throwable failure) {
    return PolicyAnswer.undecided(name, limit, deadline, failure);
  }
}
