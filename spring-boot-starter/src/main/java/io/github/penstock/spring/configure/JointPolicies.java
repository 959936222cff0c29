package io.github.penstock.spring.configure;

import io.github.penstock.spring.internal.settings.PolicyProperties;
import io.github.penstock.spring.internal.settings.PolicyProperties.Place;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks policies that are decided by reservations: with another one, or by the response. */
final class JointPolicies {
  private JointPolicies() {}

  /**
   * Checks a policy beside all others.
   *
   * @throws WrongPropertyException if it, or the policy that it names, cannot be decided by a
   *     reservation
   */
  static void check(String name, Map<String, PolicyProperties> policies) {
    PolicyProperties policy = policy(name, policies);
    String property = "penstock.policies." + name;
    if (policy.at() == Place.ALSO) {
      checkNamed(name, property, policy, policies);
    }
    String also = policy.also();
    if (also != null) {
      checkOther(property, policy, also, policies.get(also));
    }
    if ((also != null || policy.chargeWhen() != null) && policy.leases() != null) {
      throw new WrongPropertyException(
          property + ".leases", "units cannot be leased with also or charge-when", null);
    }
    if (policy.chargeWhen() != null && policy.at() == Place.METHOD) {
      throw new WrongPropertyException(
          property + ".charge-when", "a method has no response with a status", null);
    }
  }

  /** Returns whether units of a policy are reserved, or those of a member of a group. */
  static boolean isReserved(String name, Map<String, PolicyProperties> policies) {
    return policy(name, policies).also() != null || isHeld(name, policies);
  }

  /** Returns whether units of a policy are held until the response is known. */
  static boolean isHeld(String name, Map<String, PolicyProperties> policies) {
    return policy(name, policies).chargeWhen() != null
        || policies.values().stream()
            .anyMatch(other -> name.equals(other.also()) && other.chargeWhen() != null);
  }

  private static PolicyProperties policy(String name, Map<String, PolicyProperties> policies) {
    return Objects.requireNonNull(policies.get(name));
  }

  private static void checkNamed(
      String name,
      String property,
      PolicyProperties policy,
      Map<String, PolicyProperties> policies) {
    List<PolicyProperties> naming =
        policies.values().stream().filter(other -> name.equals(other.also())).toList();
    if (naming.isEmpty()) {
      throw new WrongPropertyException(
          property + ".at", "no policy names it: there must be an also: " + name, null);
    }
    if (policy.hasOwnTerms()) {
      throw new WrongPropertyException(
          property + ".at",
          "a policy at: also has a limit or limits by plan, and may have a subject, a cost, enabled"
              + " and dry-run; all else is that of the policy that names it",
          null);
    }
    long held = naming.stream().filter(other -> other.chargeWhen() != null).count();
    if (held > 0 && held < naming.size()) {
      throw new WrongPropertyException(
          property + ".at",
          "it would have two counts: all policies that name it must have a charge-when, or none",
          null);
    }
  }

  private static void checkOther(
      String property, PolicyProperties policy, String also, @Nullable PolicyProperties other) {
    if (other == null || other.at() != Place.ALSO) {
      throw new WrongPropertyException(
          property + ".also", "must be the name of a policy at: also: \"" + also + "\"", null);
    }
    if (policy.at() != Place.METHOD) {
      return;
    }
    boolean numbered = other.cost() == null || other.cost().matches("[0-9]+");
    if (other.limit() == null || !numbered) {
      throw new WrongPropertyException(
          property + ".also",
          "asked before methods, " + also + " must have a limit, and no cost but a number",
          null);
    }
  }
}
