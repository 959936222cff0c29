package io.github.penstock.spring.control;

import java.util.List;
import java.util.Map;

/**
 * An application event: the policies that are not enforced now. It is published on each change, and
 * each minute until all policies are enforced again. Immutable.
 *
 * @param enabled whether policies are enforced at all; {@code penstock.enabled}
 * @param off the names of the policies that are switched off, in the order of the properties
 * @param dryRun the names of those in dry run
 */
public record SuspendedPolicies(boolean enabled, List<String> off, List<String> dryRun) {
  /** Copies the lists. */
  public SuspendedPolicies {
    off = List.copyOf(off);
    dryRun = List.copyOf(dryRun);
  }

  static SuspendedPolicies of(boolean enabled, Map<String, PolicyMode> modes) {
    return new SuspendedPolicies(
        enabled, named(modes, PolicyMode.OFF), named(modes, PolicyMode.DRY_RUN));
  }

  private static List<String> named(Map<String, PolicyMode> modes, PolicyMode mode) {
    return modes.keySet().stream().filter(name -> modes.get(name) == mode).toList();
  }

  /** Returns whether all policies are enforced. */
  public boolean isEmpty() {
    return enabled && off.isEmpty() && dryRun.isEmpty();
  }

  /** The text for the log. */
  @Override
  public String toString() {
    if (isEmpty()) {
      return "all policies are enforced";
    }
    return "NOT ENFORCED: "
        + (enabled ? "" : "penstock.enabled is false; ")
        + "policies switched off: "
        + off
        + ", policies that run dry: "
        + dryRun;
  }
}
