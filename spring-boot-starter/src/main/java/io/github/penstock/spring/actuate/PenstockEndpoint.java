package io.github.penstock.spring.actuate;

import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.spring.actuate.ShownPolicy.PolicyDescription;
import io.github.penstock.spring.request.PlanLimit;
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
 * The policies, and what a subject has used of one; off unless {@code
 * management.endpoint.penstock.access} switches it on.
 */
@Endpoint(id = "penstock", defaultAccess = Access.NONE)
public final class PenstockEndpoint {
  private static final Logger LOG = System.getLogger("io.github.penstock.spring");
  private static final String NOTE =
      "Changed in this process until it ends: other processes keep their limits. A window of the"
          + " same length keeps its count; any other limit, such as a bucket, starts afresh.";
  private final Map<String, ShownPolicy> policies;
  private final Supplier<NearStatistics> near;
  private final boolean changing;

  /**
   * What all limiters do.
   *
   * @param policies by their names
   * @param near what is known without asking
   */
  public record LimiterOverview(Map<String, PolicyDescription> policies, NearStatistics near) {}

  /**
   * A limit that was changed.
   *
   * @param policy its policy
   * @param limits its limits by the names of plans, as they are now
   * @param note what the change is about, and what it is not
   */
  public record ChangedLimit(String policy, Map<String, String> limits, String note) {}

  /**
   * A change that was refused.
   *
   * @param error why
   */
  public record RefusedChange(String error) {}

  /**
   * The endpoint of these policies.
   *
   * @param changing whether limits can be changed
   */
  public PenstockEndpoint(
      Map<String, ShownPolicy> policies, Supplier<NearStatistics> near, boolean changing) {
    this.policies = new LinkedHashMap<>(policies);
    this.near = near;
    this.changing = changing;
  }

  /** The policies with their limits, and what is known without asking. */
  @ReadOperation
  public LimiterOverview overview() {
    Map<String, PolicyDescription> described = new LinkedHashMap<>();
    policies.forEach((name, policy) -> described.put(name, policy.description()));
    return new LimiterOverview(described, near.get());
  }

  /**
   * How much of a policy's limits a subject has left, by plan; null if there is no such policy.
   *
   * @param subject as keys have it, such as {@code user:alice}
   */
  @ReadOperation
  public @Nullable Map<String, Usage> usage(@Selector String policy, @Selector String subject) {
    return each(policy, limiter -> limiter.peek(subject));
  }

  /** Gives a subject back all that it has used of a policy's limits; see {@link #usage}. */
  @DeleteOperation
  public @Nullable Map<String, Usage> reset(@Selector String policy, @Selector String subject) {
    return each(policy, limiter -> limiter.reset(subject));
  }

  private @Nullable Map<String, Usage> each(String policy, Function<RateLimiter, Usage> asking) {
    ShownPolicy found = policies.get(policy);
    if (found == null) {
      return null;
    }
    Map<String, Usage> usages = new LinkedHashMap<>();
    found
        .limits()
        .plans()
        .forEach((plan, limit) -> usages.put(plan, asking.apply(limit.limiter())));
    return usages;
  }

  /**
   * Changes a limit in this process: decisions that begin after the answer are under the new one.
   *
   * @param limit as text
   * @param plan the name of its plan; null for a policy without plans
   */
  @WriteOperation
  public WebEndpointResponse<Object> change(
      @Selector String policy, String limit, @Nullable String plan) {
    ShownPolicy found = policies.get(policy);
    if (found == null) {
      return refused("there is no policy " + policy, WebEndpointResponse.STATUS_NOT_FOUND);
    }
    if (!changing) {
      return refused("penstock.change-limits is not true", 403);
    }
    try {
      Limit parsed = PlanLimit.parse(limit);
      found.limits().replace(plan == null ? "" : plan, parsed);
    } catch (IllegalArgumentException wrong) {
      return refused(String.valueOf(wrong.getMessage()), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
    Map<String, String> texts = found.texts();
    LOG.log(Level.INFO, "policy " + policy + ": its limits were changed to " + texts);
    return new WebEndpointResponse<>(new ChangedLimit(policy, texts, NOTE));
  }

  private static WebEndpointResponse<Object> refused(String error, int status) {
    return new WebEndpointResponse<>(new RefusedChange(error), status);
  }
}
