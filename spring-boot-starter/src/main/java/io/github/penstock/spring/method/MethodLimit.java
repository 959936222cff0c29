package io.github.penstock.spring.method;

import io.github.penstock.spring.request.CallVerdict;
import io.github.penstock.spring.request.PlanLimits;
import io.github.penstock.spring.request.PolicyAnswer;
import io.github.penstock.spring.request.PolicyCall;
import io.github.penstock.spring.request.RequestCost;
import io.github.penstock.spring.subject.SubjectText;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * One annotation of a method.
 *
 * @param limits those of its policy
 * @param subject whom a call counts for; null for all together
 * @param cost what it costs
 * @param also the policy that is asked with it; null if there is none
 */
record MethodLimit(
    PlanLimits limits,
    @Nullable MethodExpression subject,
    MethodExpression cost,
    @Nullable MethodAlso also) {
  private static final String ALL = "all";

  /**
   * A policy that is asked with another.
   *
   * @param limits its limits
   * @param subject whom a call counts for
   * @param cost what a call costs; 0 if it is as under the other policy
   */
  record MethodAlso(PlanLimits limits, MethodExpression subject, long cost) {}

  /**
   * A call that is to be decided.
   *
   * @param call what it asks for
   */
  record LimitedCall(PolicyCall call) {
    /** Asks for units; throws if they are denied, or if there is no decision. */
    void acquire() {
      check(call.ask());
    }

    static void check(CallVerdict verdict) {
      PolicyAnswer denial = verdict.denial();
      if (denial != null) {
        throw new RateLimitedException(denial, verdict.failure());
      }
    }
  }

  /** What a call asks for. */
  LimitedCall of(@Nullable Object target, Method method, @Nullable Object[] arguments) {
    long units = RequestCost.units(cost.value(target, method, arguments), cost);
    PolicyCall own = PolicyCall.of(limits, null, name(subject, target, method, arguments), units);
    return new LimitedCall(
        also == null
            ? own
            : own.with(
                also.limits,
                null,
                name(also.subject, target, method, arguments),
                also.cost == 0 ? units : also.cost));
  }

  private static String name(
      @Nullable MethodExpression subject,
      @Nullable Object target,
      Method method,
      @Nullable Object[] arguments) {
    String found =
        subject == null ? null : SubjectText.of(subject.value(target, method, arguments), subject);
    return found == null ? ALL : "value:" + found;
  }
}
