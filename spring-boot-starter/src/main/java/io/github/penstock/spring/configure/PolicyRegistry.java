package io.github.penstock.spring.configure;

import static io.github.penstock.spring.configure.WrongPropertyException.checked;

import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.spring.control.PolicySwitches;
import io.github.penstock.spring.internal.request.PlanLimit;
import io.github.penstock.spring.internal.request.PlanLimit.LimitTerms;
import io.github.penstock.spring.internal.request.PlanLimits;
import io.github.penstock.spring.internal.request.StatusSelection;
import io.github.penstock.spring.internal.settings.PenstockProperties;
import io.github.penstock.spring.internal.settings.PolicyProperties;
import io.github.penstock.spring.internal.settings.PolicyProperties.Place;
import io.github.penstock.spring.internal.settings.PolicyProperties.PolicyLeases;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limits of all policies, which all places of decisions share.
 *
 * @param limits by the names of the policies
 */
record PolicyRegistry(Map<String, PlanLimits> limits) {
  static PolicyRegistry of(
      PenstockProperties properties,
      PolicySwitches switches,
      LimiterPool pool,
      RateLimiters common) {
    Map<String, PlanLimits> limits = new LinkedHashMap<>();
    properties
        .policies()
        .forEach(
            (name, policy) -> {
              String property = "penstock.policies." + name;
              check(property, policy);
              JointPolicies.check(name, properties.policies());
              limits.put(
                  name,
                  checked(
                      property,
                      () -> {
                        LimitTerms terms = terms(property, name, policy, properties, pool, common);
                        Map<String, Limit> each = limits(property, policy);
                        Set<String> unlimited = new HashSet<>(policy.limits().keySet());
                        unlimited.removeAll(each.keySet());
                        return new PlanLimits(terms, switches.reader(name), each, unlimited);
                      }));
            });
    return new PolicyRegistry(limits);
  }

  private static void check(String property, PolicyProperties policy) {
    Map<String, String> texts = policy.texts();
    if (policy.at() == Place.METHOD
        && (policy.limit() == null || policy.isAboutRequests() || policy.cost() != null)) {
      throw new WrongPropertyException(
          property + ".limit",
          "a policy at: method must have a limit, and may have enabled, dry-run, leases, an also, a"
              + " deadline and an on-unavailable",
          null);
    }
    if (policy.at() == Place.GATEWAY && (policy.limit() == null || policy.isAboutRequests())) {
      throw new WrongPropertyException(
          property + ".limit",
          "a policy at: gateway must have a limit, and may have enabled, a cost, dry-run, leases, an"
              + " also, a charge-when, a deadline and an on-unavailable",
          null);
    }
    if (texts.isEmpty() || policy.limit() != null && texts.size() > 1) {
      throw new WrongPropertyException(
          property + ".limit", "a policy must have either a limit or limits by plan", null);
    }
    if (policy.limit() == null && policy.plan() == null) {
      throw new WrongPropertyException(
          property + ".plan", "limits by plan need an expression of the plan", null);
    }
  }

  private static LimitTerms terms(
      String property,
      String name,
      PolicyProperties policy,
      PenstockProperties properties,
      LimiterPool pool,
      RateLimiters common) {
    Duration deadline = policy.deadline();
    return new LimitTerms(
        checked(property + ".deadline", () -> pool.of(policy, common)),
        name,
        leases(property + ".leases", policy.leases()),
        deadline == null ? properties.deadline() : deadline,
        properties.headers().form(),
        policy.also() != null,
        JointPolicies.isHeld(name, properties.policies()),
        charged(property + ".charge-when", policy.chargeWhen()));
  }

  private static @Nullable StatusSelection charged(String property, @Nullable String text) {
    return text == null ? null : checked(property, () -> StatusSelection.parse(text));
  }

  private static @Nullable LeaseTerms leases(String property, @Nullable PolicyLeases leases) {
    if (leases == null) {
      return null;
    }
    LeaseTerms shortest =
        checked(property + ".most", () -> new LeaseTerms(leases.most(), Duration.ofMillis(1)));
    return checked(property + ".at-most", () -> new LeaseTerms(shortest.most(), leases.atMost()));
  }

  private static Map<String, Limit> limits(String property, PolicyProperties policy) {
    Map<String, Limit> limits = new LinkedHashMap<>();
    policy
        .texts()
        .forEach(
            (plan, text) ->
                (plan.isEmpty()
                        ? Optional.of(checked(property + ".limit", () -> PlanLimit.parse(text)))
                        : checked(property + ".limits." + plan, () -> PlanLimit.parsePlan(text)))
                    .ifPresent(limit -> limits.put(plan, limit)));
    if (limits.isEmpty()) {
      throw new WrongPropertyException(
          property + ".limits",
          "one plan must have a limit, which is that of callers of no plan",
          null);
    }
    return limits;
  }

  /** The limits of a policy, which must be one of the properties'. */
  PlanLimits of(String policy) {
    return Objects.requireNonNull(limits.get(policy));
  }
}
