package io.github.penstock.spring.actuate;

import io.github.penstock.core.RateLimiter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A policy as the endpoint shows it.
 *
 * @param at where it is asked
 * @param dryRun whether it lets everything pass
 * @param limiters its limiters by the names of plans; one of the empty name if it has none
 */
public record ShownPolicy(String at, boolean dryRun, Map<String, RateLimiter> limiters) {
  /**
   * The policy without what works: its limits as text.
   *
   * @param at where it is asked
   * @param dryRun whether it lets everything pass
   * @param limits its limits by the names of plans
   */
  public record PolicyDescription(String at, boolean dryRun, Map<String, String> limits) {}

  PolicyDescription description() {
    Map<String, String> limits = new LinkedHashMap<>();
    limiters.forEach((plan, limiter) -> limits.put(plan, limiter.limit().toString()));
    return new PolicyDescription(at, dryRun, limits);
  }
}
