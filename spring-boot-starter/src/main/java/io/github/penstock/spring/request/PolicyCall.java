package io.github.penstock.spring.request;

import io.github.penstock.spring.control.PolicyMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a call asks of a policy, and of the one that is asked with it. Immutable.
 *
 * @param policy the limits of the policy
 * @param group whom the call counts for; with another policy, whom it counts for there
 * @param asked units of each limit; none of a policy that is switched off, or of an unlimited plan
 */
public record PolicyCall(PlanLimits policy, String group, List<AskedUnits> asked) {
  /**
   * What is asked of one limit.
   *
   * @param limit the limit
   * @param mode what its policy does
   * @param within whom within the group the units count for; null for the group itself
   * @param cost units
   */
  public record AskedUnits(PlanLimit limit, PolicyMode mode, @Nullable String within, long cost) {}

  /**
   * A call of a policy alone.
   *
   * @param plan the caller's; null for none
   */
  public static PolicyCall of(PlanLimits policy, @Nullable String plan, String subject, long cost) {
    return new PolicyCall(policy, subject, asked(policy, plan, cost));
  }

  /** The same call, decided with another policy: its subject is now one within that policy's. */
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
   * Asks, and waits for the answer; what fails is a denial. A dry run is asked after what is
   * enforced has allowed.
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
