package io.github.penstock.spring.actuate;

import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.Usage;
import io.github.penstock.spring.actuate.ShownPolicy.PolicyDescription;
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

/**
 * The policies, and what a subject has used of one; off unless {@code
 * management.endpoint.penstock.access} switches it on.
 */
@Endpoint(id = "penstock", defaultAccess = Access.NONE)
public final class PenstockEndpoint {
  private final Map<String, ShownPolicy> policies;
  private final Supplier<NearStatistics> near;

  /**
   * What all limiters do.
   *
   * @param policies by their names
   * @param near what is known without asking, of the limiters that policies have in common
   */
  public record LimiterOverview(Map<String, PolicyDescription> policies, NearStatistics near) {}

  /** The endpoint of these policies. */
  public PenstockEndpoint(Map<String, ShownPolicy> policies, Supplier<NearStatistics> near) {
    this.policies = new LinkedHashMap<>(policies);
    this.near = near;
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
    found.limiters().forEach((plan, limiter) -> usages.put(plan, asking.apply(limiter)));
    return usages;
  }
}
