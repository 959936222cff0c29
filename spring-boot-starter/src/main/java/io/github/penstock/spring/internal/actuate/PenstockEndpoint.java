package io.github.penstock.spring.internal.actuate;

import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.Usage;
import io.github.penstock.spring.control.PolicySwitches;
import io.github.penstock.spring.control.PolicySwitches.SwitchPosition;
import io.github.penstock.spring.internal.actuate.ShownPolicy.PolicyDescription;
import io.github.penstock.spring.internal.request.PlanLimit;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The policies, and the usage of one by a subject; off unless {@code
 * management.endpoint.penstock.access} enables it.
 */
@Endpoint(id = "penstock", defaultAccess = Access.NONE)
public final class PenstockEndpoint {
  private static final Logger LOG = System.getLogger("io.github.penstock.spring");
  private static final String CLOSED = "penstock.change-limits is not true";
  private static final String NOTE =
      "Changed in this process until it ends: other processes keep their limits. A window of the"
          + " same length keeps its count; any other limit, such as a bucket, starts afresh.";
  private static final String RESERVED =
      "a policy with also or charge-when is decided by reservations, whose counts are read and reset"
          + " by ./penstock scripts explain and reset";
  private final Map<String, ShownPolicy> policies;
  private final Supplier<NearStatistics> near;
  private final PolicySwitches switches;
  private final boolean changing;

  /**
   * The state of all limiters.
   *
   * @param enabled whether policies are enforced at all
   * @param policies by their names
   * @param near the state in memory
   */
  public record LimiterOverview(
      boolean enabled, Map<String, PolicyDescription> policies, NearStatistics near) {}

  /**
   * A policy that was changed.
   *
   * @param policy its name
   * @param enabled whether it decides at all, if policies are enabled
   * @param dryRun whether it never denies
   * @param limits its current limits by the names of plans
   * @param note the scope of the change
   */
  public record ChangedLimit(
      String policy, boolean enabled, boolean dryRun, Map<String, String> limits, String note) {}

  /**
   * All policies were switched.
   *
   * @param enabled whether they are enforced at all
   * @param note the scope of the change
   */
  public record ChangedSwitch(boolean enabled, String note) {}

  /**
   * A change that was refused.
   *
   * @param error the reason
   */
  public record RefusedChange(String error) {}

  /**
   * The endpoint of these policies.
   *
   * @param switches switches for the policies
   * @param changing whether limits and switches can be changed
   */
  public PenstockEndpoint(
      Map<String, ShownPolicy> policies,
      Supplier<NearStatistics> near,
      PolicySwitches switches,
      boolean changing) {
    this.policies = new LinkedHashMap<>(policies);
    this.near = near;
    this.switches = switches;
    this.changing = changing;
  }

  /** Returns the policies with their limits, and the state in memory. */
  @ReadOperation
  public LimiterOverview overview() {
    Map<String, PolicyDescription> described = new LinkedHashMap<>();
    policies.forEach((name, policy) -> described.put(name, policy.description()));
    return new LimiterOverview(switches.isEnabled(), described, near.get());
  }

  /**
   * Returns the remaining units of a subject under a policy's limits, by plan; 404 for an unknown
   * policy.
   *
   * @param subject in the form of keys, such as {@code user:alice}
   */
  @ReadOperation
  public WebEndpointResponse<Object> usage(@Selector String policy, @Selector String subject) {
    return each(policy, limiter -> limiter.peek(subject));
  }

  /** Refunds all units that a subject has used of a policy's limits; see {@link #usage}. */
  @DeleteOperation
  public WebEndpointResponse<Object> reset(@Selector String policy, @Selector String subject) {
    return each(policy, limiter -> limiter.reset(subject));
  }

  private WebEndpointResponse<Object> each(String policy, Function<RateLimiter, Usage> asking) {
    ShownPolicy found = policies.get(policy);
    if (found == null) {
      return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
    }
    if (found.reserved()) {
      return refused(RESERVED, WebEndpointResponse.STATUS_BAD_REQUEST);
    }
    Map<String, Usage> usages = new LinkedHashMap<>();
    found
        .limits()
        .plans()
        .forEach((plan, limit) -> usages.put(plan, asking.apply(limit.limiter())));
    return new WebEndpointResponse<>(usages);
  }

  /**
   * Switches all policies off, or back to their own states, in this process.
   *
   * @param enabled whether they are enforced
   */
  @WriteOperation
  public WebEndpointResponse<Object> change(boolean enabled) {
    if (!changing) {
      return refused(CLOSED, 403);
    }
    switches.enable(enabled);
    return new WebEndpointResponse<>(new ChangedSwitch(enabled, NOTE));
  }

  /**
   * Changes a policy in this process: it applies to decisions that begin after the response. The
   * change is applied completely or not at all.
   *
   * @param limit as text; null to keep it
   * @param plan the name of its plan; null for a policy without plans
   * @param enabled whether the policy decides at all; null to keep that
   * @param dryRun whether it never denies; null to keep that
   */
  @WriteOperation
  public WebEndpointResponse<Object> change(
      @Selector String policy,
      @Nullable String limit,
      @Nullable String plan,
      @Nullable Boolean enabled,
      @Nullable Boolean dryRun) {
    ShownPolicy found = policies.get(policy);
    if (found == null) {
      return refused("there is no policy " + policy, WebEndpointResponse.STATUS_NOT_FOUND);
    }
    if (!changing) {
      return refused(CLOSED, 403);
    }
    try {
      change(found, limit, plan, enabled != null || dryRun != null);
    } catch (IllegalArgumentException wrong) {
      return refused(String.valueOf(wrong.getMessage()), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
    if (enabled != null || dryRun != null) {
      switches.change(policy, enabled, dryRun);
    }
    Map<String, String> texts = found.texts();
    SwitchPosition now = found.position().get();
    LOG.log(
        Level.INFO,
        "policy %s was changed: enabled %s, dry-run %s, limits %s"
            .formatted(policy, now.enabled(), now.dryRun(), texts));
    return new WebEndpointResponse<>(
        new ChangedLimit(policy, now.enabled(), now.dryRun(), texts, NOTE));
  }

  private static void change(
      ShownPolicy found, @Nullable String limit, @Nullable String plan, boolean switched) {
    if (limit != null) {
      found.limits().replace(plan == null ? "" : plan, PlanLimit.parse(limit));
    } else if (plan != null || !switched) {
      throw new IllegalArgumentException(
          "a change must have a limit (and its plan, if there are plans), enabled or dryRun");
    }
  }

  private static WebEndpointResponse<Object> refused(String error, int status) {
    return new WebEndpointResponse<>(new RefusedChange(error), status);
  }
}
