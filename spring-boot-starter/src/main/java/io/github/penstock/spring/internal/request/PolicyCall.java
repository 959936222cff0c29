package io.github.penstock.spring.internal.request;

import io.github.penstock.spring.control.PolicyMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The units that a call requests of a policy, and of the one that is decided with it. Immutable.
 *
 * @param policy the limits of the policy
 * @param group the subject of the call; with another policy, the subject there
 * @param asked units of each limit; none for a policy that is switched off, or for an unlimited
 *     plan
 */
public record PolicyCall(PlanLimits policy, String group, List<AskedUnits> asked) {
  /**
   * The units that are requested of one limit.
   *
   * @param limit the limit
   * @param mode the mode of its policy
   * @param within the member of the group that the units count for; null for the group itself
   * @param cost units
   */
  public record AskedUnits(PlanLimit limit, PolicyMode mode, @Nullable String within, long cost) {}

  /**
   * A call of a single policy.
   *
   * @param plan the caller's plan; null for none
   */
  public static PolicyCall of(PlanLimits policy, @Nullable String plan, String subject, long cost) {
    return new PolicyCall(policy, subject, asked(policy, plan, cost));
  }

  /** This call, decided with another policy: its subject becomes a member of that policy's. */
  public PolicyCall with(PlanLimits other, @Nullable String plan, String subject, long cost) {
    List<AskedUnits> all = new ArrayList<>();
    asked.forEach(own -> all.add(new AskedUnits(own.limit, own.mode, group, own.cost)));
    all.addAll(asked(other, plan, cost));
    return new PolicyCall(policy, subject, all);
  }

  private static List<AskedUnits> asked(PlanLimits policy, @Nullable String plan, long cost) {
    PolicyMode mode = policy.mode();
    PlanLimit limit = policy.of(plan);
    return mode == PolicyMode.OFF || limit == null
        ? List.of()
        : List.of(new AskedUnits(limit, mode, null, cost));
  }

  /**
   * Requests the units, and waits for the answer; a failure is a denial. A dry run decides after
   * the enforced limits have allowed the call.
   */
  public CallVerdict ask() {
    CallVerdict enforced = ask(PolicyMode.ENFORCED);
    return enforced.denial() == null ? enforced.beside(ask(PolicyMode.DRY_RUN)) : enforced;
  }

  private CallVerdict ask(PolicyMode mode) {
    List<AskedUnits> units = units(mode);
    if (units.isEmpty()) {
      return CallVerdict.NONE;
    }
    AskedUnits first = units.get(0);
    JointReservations joint = policy.joint();
    try {
      return joint == null
          ? CallVerdict.of(
              new PolicyAnswer(first.limit.limiter().tryAcquire(group, first.cost), first.limit))
          : joint.reserve(group, units, mode == PolicyMode.ENFORCED);
    } catch (RuntimeException failure) {
      return CallVerdict.undecided(first.limit, failure);
    }
  }

  List<AskedUnits> units(PolicyMode mode) {
    return asked.stream().filter(each -> each.mode == mode).toList();
  }
}
