package io.github.penstock.spring.request;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a policy by the names of plans, and how a request's plan is found; a plan that is
 * none of them is the strictest. Immutable.
 *
 * @param <L> the limiter
 */
public final class PlanLimits<L> {
  private final @Nullable RequestExpression plan;
  private final Map<String, PlanLimit<L>> plans;
  private final PlanLimit<L> strictest;

  /**
   * The limits of a policy.
   *
   * @param plan an expression whose value is the name of a plan; null if all have the strictest
   * @param plans at least one
   */
  public PlanLimits(@Nullable RequestExpression plan, Map<String, PlanLimit<L>> plans) {
    this.plan = plan;
    this.plans = new LinkedHashMap<>(plans);
    String name =
        StrictestPlan.of(
            plans.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().limit())));
    strictest = Objects.requireNonNull(plans.get(name));
  }

  PlanLimit<L> of(Object request) {
    String name = plan == null ? null : plan.text(request);
    return name == null ? strictest : plans.getOrDefault(name, strictest);
  }
}
