package io.github.penstock.spring.control;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Switches policies off and on, or to a dry run, in this process until it ends: a bean.
 *
 * <pre>{@code
 * switches.change("exports", false, null);  // passes all requests, and charges none
 * switches.change("exports", true, true);   // charges, and denies none
 * switches.enable(false);                   // all policies are off
 * }</pre>
 *
 * <p>A change applies to requests that begin after it has returned. While a policy is not enforced,
 * a warning in the log and a {@link SuspendedPolicies} event report it each minute. Limiters that
 * code creates from beans are not policies. Safe for use by several threads.
 */
public final class PolicySwitches {
  private final Map<String, PolicySwitch> policies;
  private final Consumer<SuspendedPolicies> changed;
  private volatile boolean enabled;

  /**
   * The own state of one policy.
   *
   * @param enabled whether it decides at all
   * @param dryRun whether it never denies
   */
  public record SwitchPosition(boolean enabled, boolean dryRun) {}

  private static final class PolicySwitch {
    private volatile SwitchPosition position;

    PolicySwitch(SwitchPosition position) {
      this.position = position;
    }
  }

  /**
   * The switches of these policies.
   *
   * @param enabled whether policies are enforced at all
   * @param changed receives the policies that are not enforced, after each change
   */
  public PolicySwitches(
      boolean enabled, Map<String, SwitchPosition> policies, Consumer<SuspendedPolicies> changed) {
    Map<String, PolicySwitch> switches = new LinkedHashMap<>();
    policies.forEach((name, position) -> switches.put(name, new PolicySwitch(position)));
    this.policies = Collections.unmodifiableMap(switches);
    this.enabled = enabled;
    this.changed = changed;
    changed.accept(suspended());
  }

  /** Returns whether policies are enforced at all. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Switches all policies off, or back to their own states. */
  public synchronized void enable(boolean all) {
    enabled = all;
    changed.accept(suspended());
  }

  /**
   * Changes a policy.
   *
   * @param enable whether it decides at all; null keeps the current value
   * @param dryRun whether it never denies; null keeps the current value
   * @throws IllegalArgumentException if the policy is unknown, or both values are null
   */
  public synchronized void change(
      String policy, @Nullable Boolean enable, @Nullable Boolean dryRun) {
    PolicySwitch found = found(policy);
    if (enable == null && dryRun == null) {
      throw new IllegalArgumentException("enabled or dryRun must be given: true or false");
    }
    SwitchPosition before = found.position;
    found.position =
        new SwitchPosition(
            enable == null ? before.enabled : enable, dryRun == null ? before.dryRun : dryRun);
    changed.accept(suspended());
  }

  /**
   * Returns a policy's own state.
   *
   * @throws IllegalArgumentException if the policy is unknown
   */
  public SwitchPosition position(String policy) {
    return found(policy).position;
  }

  /**
   * Returns the current mode of a policy.
   *
   * @throws IllegalArgumentException if the policy is unknown
   */
  public PolicyMode mode(String policy) {
    return mode(found(policy));
  }

  /**
   * Returns a supplier of the mode of a policy.
   *
   * @throws IllegalArgumentException if the policy is unknown
   */
  public Supplier<PolicyMode> reader(String policy) {
    PolicySwitch found = found(policy);
    return () -> mode(found);
  }

  /** Returns the policies that are not enforced. */
  public SuspendedPolicies suspended() {
    Map<String, PolicyMode> modes = new LinkedHashMap<>();
    policies.forEach((name, each) -> modes.put(name, mode(each)));
    return SuspendedPolicies.of(enabled, modes);
  }

  private PolicyMode mode(PolicySwitch one) {
    SwitchPosition position = one.position;
    if (!enabled || !position.enabled) {
      return PolicyMode.OFF;
    }
    return position.dryRun ? PolicyMode.DRY_RUN : PolicyMode.ENFORCED;
  }

  private PolicySwitch found(String policy) {
    PolicySwitch found = policies.get(policy);
    if (found == null) {
      throw new IllegalArgumentException(
          "policy must be of " + policies.keySet() + ": \"" + policy + "\"");
    }
    return found;
  }
}
