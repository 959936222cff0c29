package io.github.penstock.spring.internal.request;

import io.github.penstock.spring.control.PolicyMode;
import org.jspecify.annotations.Nullable;

/**
 * A policy of HTTP requests. No failure opens it: an incomplete request counts for its address, by
 * the strictest plan, at a cost of 1; a failure is a denial. Immutable.
 *
 * @param requests the requests to which it applies
 * @param skip an expression that is true for requests that are not counted, or null
 * @param caller their subject and cost
 * @param limits their limits
 * @param also the policy that is decided with it, or null
 * @param <R> the request
 */
public record RequestPolicy<R>(
    PathSelection requests,
    @Nullable RequestExpression skip,
    RequestCaller<R> caller,
    PlanLimits limits,
    @Nullable AlsoPolicy<R> also) {
  /**
   * The values that a policy reads from a request.
   *
   * @param subject its subject
   * @param cost its cost
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
   * A policy that is decided only with others.
   *
   * @param caller the values that it reads from a request
   * @param ownCost whether it has a cost, instead of that of the other policy
   * @param limits the limits of requests
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

    /** Returns whether it needs the authenticated user. */
    public boolean needsUser() {
      return caller.subject().needsUser();
    }
  }

  /** Returns whether a request to which it applies is counted. */
  boolean counts(R request) {
    boolean off =
        limits.mode() == PolicyMode.OFF && (also == null || also.limits().mode() == PolicyMode.OFF);
    return !off && (skip == null || !Boolean.TRUE.equals(skip.value(request)));
  }

  /** Returns whether it needs the authenticated user. */
  boolean needsUser() {
    return caller.subject().needsUser() || also != null && also.needsUser();
  }

  /** The units that a request needs. */
  PolicyCall call(R request) {
    long cost = caller.cost().of(request);
    PolicyCall own =
        PolicyCall.of(limits, caller.plan(request), caller.subject().of(request), cost);
    return also == null ? own : also.with(own, request, cost);
  }
}
