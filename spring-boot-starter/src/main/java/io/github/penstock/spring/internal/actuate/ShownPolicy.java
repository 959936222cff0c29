package io.github.penstock.spring.internal.actuate;

import io.github.penstock.spring.control.PolicySwitches.SwitchPosition;
import io.github.penstock.spring.internal.request.PlanLimit;
import io.github.penstock.spring.internal.request.PlanLimits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A policy as the endpoint shows it.
 *
 * @param at the place where it decides
 * @param limits its limits
 * @param reserved whether its units are reserved, so that no limiter reads them
 * @param position how it is switched
 */
public record ShownPolicy(
    String at, PlanLimits limits, boolean reserved, Supplier<SwitchPosition> position) {
  /**
   * The policy without its active parts: its limits as text.
   *
   * @param at the place where it decides
   * @param enabled whether it decides at all, if policies are enabled
   * @param dryRun whether it never denies
   * @param limits its limits by the names of plans
   */
  public record PolicyDescription(
      String at, boolean enabled, boolean dryRun, Map<String, String> limits) {}

  PolicyDescription description() {
    SwitchPosition now = position.get();
    return new PolicyDescription(at, now.enabled(), now.dryRun(), texts());
  }

  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    limits.plans().forEach((plan, limit) -> texts.put(plan, limit.limit().toString()));
    limits.unlimited().forEach(plan -> texts.put(plan, PlanLimit.UNLIMITED));
    return texts;
  }
}
