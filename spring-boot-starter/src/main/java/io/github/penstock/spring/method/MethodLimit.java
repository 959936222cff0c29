package io.github.penstock.spring.method;

import io.github.penstock.spring.request.RequestCost;
import io.github.penstock.spring.request.SubjectText;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * One annotation of a method.
 *
 * @param policy its policy
 * @param subject whom a call counts for; null for all together
 * @param cost what it costs
 */
record MethodLimit(MethodPolicy policy, @Nullable MethodExpression subject, MethodExpression cost) {
  private static final String ALL = "all";

  /**
   * What a call asks for.
   *
   * @param policy the policy
   * @param subject whom it counts for
   * @param cost units
   */
  record LimitedCall(MethodPolicy policy, String subject, long cost) {}

  LimitedCall of(@Nullable Object target, Method method, @Nullable Object[] arguments) {
    String found =
        subject == null ? null : SubjectText.of(subject.value(target, method, arguments), subject);
    return new LimitedCall(
        policy,
        found == null ? ALL : "value:" + found,
        RequestCost.units(cost.value(target, method, arguments)));
  }
}
