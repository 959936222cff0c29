package io.github.penstock.spring.actuate;

import io.github.penstock.spring.request.PlanLimits;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A policy as the endpoint shows it.
 *
 * @param at where it is asked
 * @param limits its limits
 */
public record ShownPolicy(String at, PlanLimits limits) {
  /**
   * The policy without what works: its limits as text.
   *
   * @param at where it is asked
   * @param dryRun whether it lets everything pass
   * @param limits its limits by the names of plans
   */
  public record PolicyDescription(String at, boolean dryRun, Map<String, String> limits) {}

  PolicyDescription description() {
    return new PolicyDescription(at, limits.dryRun(), texts());
  }

  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    limits.plans().forEach((plan, limit) -> texts.put(plan, limit.limit().toString()));
    return texts;
  }
}
