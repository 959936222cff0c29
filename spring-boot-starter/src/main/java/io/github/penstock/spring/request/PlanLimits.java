package io.github.penstock.spring.request;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.spring.control.PolicyMode;
import io.github.penstock.spring.request.PlanLimit.LimitTerms;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a policy by the names of plans; a plan that is none of them is the strictest. Safe
 * for use by several threads: a decision that begins after {@link #replace} has returned is under
 * the new limit.
 */
public final class PlanLimits {
  private final LimitTerms terms;
  private final Supplier<PolicyMode> mode;
  private volatile PlanTable table;

  private record PlanTable(Map<String, PlanLimit> plans, PlanLimit strictest) {
    static PlanTable of(Map<String, PlanLimit> plans) {
      Map<String, Limit> limits = new LinkedHashMap<>();
      plans.forEach((plan, limit) -> limits.put(plan, limit.limit()));
      return new PlanTable(
          Collections.unmodifiableMap(plans),
          Objects.requireNonNull(plans.get(StrictestPlan.of(limits))));
    }
  }

  /**
   * The limits of a policy.
   *
   * @param terms how they are made
   * @param mode what the policy does now
   * @param limits at least one; that of a policy without plans has the empty name
   */
  public PlanLimits(LimitTerms terms, Supplier<PolicyMode> mode, Map<String, Limit> limits) {
    this.terms = terms;
    this.mode = mode;
    Map<String, PlanLimit> plans = new LinkedHashMap<>();
    limits.forEach((plan, limit) -> plans.put(plan, terms.of(limit)));
    table = PlanTable.of(plans);
  }

  /** Returns what the policy does now: asked once for each call. */
  public PolicyMode mode() {
    return mode.get();
  }

  /** The limit of a plan; null for that of a caller without one. */
  public PlanLimit of(@Nullable String plan) {
    PlanTable now = table;
    return plan == null ? now.strictest : now.plans.getOrDefault(plan, now.strictest);
  }

  /** All limits by the names of plans, as they are now. */
  public Map<String, PlanLimit> plans() {
    return table.plans;
  }

  /**
   * Replaces the limit of a plan, in this process.
   *
   * @throws IllegalArgumentException if there is no such plan
   */
  public synchronized void replace(String plan, Limit limit) {
    Map<String, PlanLimit> plans = new LinkedHashMap<>(table.plans);
    if (plans.replace(plan, terms.of(limit)) == null) {
      throw new IllegalArgumentException(
          "plan must be of " + plans.keySet() + ": \"" + plan + "\"");
    }
    table = PlanTable.of(plans);
  }
}
