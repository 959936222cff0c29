package io.github.penstock.spring.request;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.RateLimiter;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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
 * @param <L> the limiter: {@link RateLimiter} or {@link AsyncRateLimiter}
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
  private static final ScarceLog LOG = new ScarceLog();

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
    LOG.log(
        Level.WARNING,
        "policy " + name + ": a request was not decided on: " + failure.getMessage());
    long capacity = limit.limit().tiers().get(0).capacity();
    long waitMicros = TimeUnit.NANOSECONDS.toMicros(deadline.toNanos());
    return new PolicyAnswer(
        new Decision(false, capacity, 0, waitMicros, 0, 1, DecisionSource.UNAVAILABLE), limit);
  }
}
