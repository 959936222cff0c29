package io.github.penstock.spring.request;

import org.jspecify.annotations.Nullable;

/**
 * A policy of HTTP requests. Nothing of it opens: what a request lacks makes it count for its
 * address, by the strictest plan, at a cost of 1; what fails is a denial. Immutable.
 *
 * @param requests which requests it is about
 * @param skip an expression that is true for requests that are not counted, or null
 * @param subject whom they count for
 * @param cost what they cost
 * @param plan an expression of the name of their plan, or null
 * @param limits what they are under
 * @param <R> the request
 */
public record RequestPolicy<R>(
    PathSelection requests,
    @Nullable RequestExpression skip,
    RequestSubject<R> subject,
    RequestCost cost,
    @Nullable RequestExpression plan,
    PlanLimits limits) {
  /** Returns whether a request that it is about is to be counted. */
  boolean counts(R request) {
    return skip == null || !Boolean.TRUE.equals(skip.value(request));
  }

  /** The limit that a request is under. */
  PlanLimit limit(R request) {
    return limits.of(plan == null ? null : plan.text(request));
  }
}
