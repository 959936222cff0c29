package io.github.penstock.spring.method;

import io.github.penstock.spring.control.PolicyMode;
import io.github.penstock.spring.request.PlanLimit;
import io.github.penstock.spring.request.PlanLimits;
import io.github.penstock.spring.request.PolicyAnswer;
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
 */
record MethodLimit(PlanLimits limits, @Nullable MethodExpression subject, MethodExpression cost) {
  private static final String ALL = "all";

  /**
   * What a call asks for.
   *
   * @param limit the limit that it is under
   * @param dryRun whether it goes on when it is denied
   * @param subject whom it counts for
   * @param cost units
   */
  record LimitedCall(PlanLimit limit, boolean dryRun, String subject, long cost) {
    /** Asks for units; throws if they are denied, or if there is no decision. */
    void acquire() {
      PolicyAnswer answer;
      try {
        answer = limit.ask(subject, cost);
      } catch (RuntimeException failure) {
        check(PolicyAnswer.undecided(limit, failure), failure);
        return;
      }
      check(answer, null);
    }

    void check(PolicyAnswer answer, @Nullable Throwable cause) {
      if (!answer.allowed() && !dryRun) {
        throw new RateLimitedException(answer, cause);
      }
    }
  }

  /** What a call asks for; null if the policy is switched off. */
  @Nullable LimitedCall of(@Nullable Object target, Method method, @Nullable Object[] arguments) {
    PolicyMode mode = limits.mode();
    if (mode == PolicyMode.OFF) {
      return null;
    }
    String found =
        subject == null ? null : SubjectText.of(subject.value(target, method, arguments), subject);
    return new LimitedCall(
        limits.of(null),
        mode == PolicyMode.DRY_RUN,
        found == null ? ALL : "value:" + found,
        RequestCost.units(cost.value(target, method, arguments), cost));
  }
}
