package io.github.penstock.spring.request;

import io.github.penstock.spring.control.PolicyMode;
import org.jspecify.annotations.Nullable;

/**
 * A policy of HTTP requests. Nothing of it opens: what a request lacks makes it count for its
 * address, by the strictest plan, at a cost of 1; what fails is a denial. Immutable.
 *
 * @param requests which requests it is about
 * @param skip an expression that is true for requests that are not counted, or null
 * @param caller whom they count for, and what they cost
 * @param limits what they are under
 * @param also the policy that is asked with it, or null
 * @param <R> the request
 */
public record RequestPolicy<R>(
    PathSelection requests,
    @Nullable RequestExpression skip,
    RequestCaller<R> caller,
    PlanLimits limits,
    @Nullable AlsoPolicy<R> also) {
  /**
   * What a policy reads of a request.
   *
   * @param subject whom it counts for
   * @param cost what it costs
   * @param plan an expression of the name of its plan, or null
   * @param <R> the request
   */
  public record RequestCaller<R>(
      RequestSubject<R> subject, RequestCost cost, @Nullable RequestExpression plan) {
    @Nullable String plan(R request) {
      return plan == null ? null : plan.text(request);
    }
  }

  /**
   * A policy that is asked only with others.
   *
   * @param caller what it reads of a request
   * @param ownCost whether it has a cost, and does not charge that of the other policy
   * @param limits what requests are under
   * @param <R> the request
   */
  public record AlsoPolicy<R>(RequestCaller<R> caller, boolean ownCost, PlanLimits limits) {
    /** A call of the other policy, decided with this one. */
    public PolicyCall with(PolicyCall own, R request, long cost) {
      return own.with(
          limits,
          caller.plan(request),
          caller.subject().of(request),
          ownCost ? caller.cost().of(request) : cost);
    }

    /** Returns whether it asks who is signed in. */
    public boolean needsUser() {
      return caller.subject().needsUser();
    }
  }

  /** Returns whether a request that it is about is to be counted. */
  boolean counts(R request) {
    boolean off =
        limits.mode() == PolicyMode.OFF && (also == null || also.limits().mode() == PolicyMode.OFF);
    return !off && (skip == null || !Boolean.TRUE.equals(skip.value(request)));
  }

  /** Returns whether it asks who is signed in. */
  boolean needsUser() {
    return caller.subject().needsUser() || also != null && also.needsUser();
  }

  /** What a request asks for. */
  PolicyCall call(R request) {
    long cost = caller.cost().of(request);
    PolicyCall own =
        PolicyCall.of(limits, caller.plan(request), caller.subject().of(request), cost);
    return also == null ? own : also.with(own, request, cost);
  }
}
