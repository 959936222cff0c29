package io.github.penstock.spring.internal.request;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.spring.control.PolicyMode;
import io.github.penstock.spring.internal.request.PlanLimit.LimitTerms;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a policy by the names of plans; an unknown plan gets the strictest. Safe for use by
 * several threads: the new limit applies to decisions that begin after {@link #replace} has
 * returned.
 */
public final class PlanLimits {
  private final LimitTerms terms;
  private final Supplier<PolicyMode> mode;
  private final Set<String> unlimited;
  private final @Nullable JointReservations joint;
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
   * @param terms the settings of its limits
   * @param mode the current mode of the policy
   * @param limits at least one; that of a policy without plans has the empty name
   * @param unlimited the names of plans that have none
   */
  public PlanLimits(
      LimitTerms terms,
      Supplier<PolicyMode> mode,
      Map<String, Limit> limits,
      Set<String> unlimited) {
    this.terms = terms;
    this.mode = mode;
    this.unlimited = Set.copyOf(unlimited);
    joint = terms.reservations();
    Map<String, PlanLimit> plans = new LinkedHashMap<>();
    limits.forEach((plan, limit) -> plans.put(plan, terms.of(limit)));
    table = PlanTable.of(plans);
  }

  /** Returns the current mode of the policy: */
  public PolicyMode mode() {
    return mode.get();
  }

  /** Returns whether a reservation decides, whose counts no limiter reads. */
  public boolean isReserved() {
    return joint != null;
  }

  /** The reservations that decide its calls; null if each of its limiters does. */
  @Nullable JointReservations joint() {
    return joint;
  }

  /** The limit of a plan; that of a caller without one for null; null for an unlimited plan. */
  public @Nullable PlanLimit of(@Nullable String plan) {
    PlanTable now = table;
    if (plan == null) {
      return now.strictest;
    }
    return unlimited.contains(plan) ? null : now.plans.getOrDefault(plan, now.strictest);
  }

  /** The limit of a caller without a plan. */
  PlanLimit strictest() {
    return table.strictest;
  }

  /** All limits by the names of plans, as they are now. */
  public Map<String, PlanLimit> plans() {
    return table.plans;
  }

  /** The names of plans that have no limit. */
  public Set<String> unlimited() {
    return unlimited;
  }

  /**
   * Replaces the limit of a plan, in this process.
   *
   * @throws IllegalArgumentException if the plan is unknown, or has no limit
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
