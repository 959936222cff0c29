package io.github.penstock.spring.internal.method;

import io.github.penstock.spring.internal.request.PlanLimits;
import io.github.penstock.spring.internal.request.PolicyCall;
import io.github.penstock.spring.internal.request.RequestCost;
import io.github.penstock.spring.internal.subject.SubjectText;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * One annotation of a method.
 *
 * @param limits the limits of its policy
 * @param subject the subject of a call; null for one subject of all calls
 * @param cost its cost
 * @param also the policy that is decided with it; null if there is none
 */
record MethodLimit(
    PlanLimits limits,
    @Nullable MethodExpression subject,
    MethodExpression cost,
    @Nullable MethodAlso also) {
  private static final String ALL = "all";

  /**
   * A policy that is decided with another.
   *
   * @param limits its limits
   * @param subject the subject of a call
   * @param cost the cost of a call; 0 for that of the other policy
   */
  record MethodAlso(PlanLimits limits, MethodExpression subject, long cost) {}

  /** The units that a call requests. */
  PolicyCall of(@Nullable Object target, Method method, @Nullable Object[] arguments) {
    long units = RequestCost.units(cost.value(target, method, arguments), cost);
    PolicyCall own = PolicyCall.of(limits, null, name(subject, target, method, arguments), units);
    return also == null
        ? own
        : own.with(
            also.limits,
            null,
            name(also.subject, target, method, arguments),
            also.cost == 0 ? units : also.cost);
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
