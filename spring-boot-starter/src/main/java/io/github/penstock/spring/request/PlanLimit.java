package io.github.penstock.spring.request;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.http.HeaderForm;
import io.github.penstock.core.http.RateLimitHeaders;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a policy's callers, or of those of one plan.
 *
 * @param limiter who decides
 * @param asynchronous the same without a thread that waits; null if the client is blocking
 * @param deadline how long a decision may take
 * @param headers its header fields
 * @param written whether they are written; {@code Retry-After} always is
 */
public record PlanLimit(
    RateLimiter limiter,
    @Nullable AsyncRateLimiter asynchronous,
    Duration deadline,
    RateLimitHeaders headers,
    boolean written) {
  /**
   * How limits of a policy are made.
   *
   * @param limiters on which it is decided
   * @param policy its name
   * @param leases how many units are charged ahead; null for none
   * @param deadline how long a decision may take
   * @param form the form of the header fields; null for none
   */
  public record LimitTerms(
      RateLimiters limiters,
      String policy,
      @Nullable LeaseTerms leases,
      Duration deadline,
      @Nullable HeaderForm form) {
    PlanLimit of(Limit limit) {
      RateLimitHeaders headers = RateLimitHeaders.of(policy, limit);
      return new PlanLimit(
          leases == null
              ? limiters.limiter(policy, limit)
              : limiters.limiter(policy, limit, leases),
          asynchronous(limit),
          deadline,
          form == null ? headers : headers.form(form),
          form != null);
    }

    private @Nullable AsyncRateLimiter asynchronous(Limit limit) {
      if (!(limiters instanceof AsyncRateLimiters without)) {
        return null;
      }
      return leases == null
          ? without.asyncLimiter(policy, limit)
          : without.asyncLimiter(policy, limit, leases);
    }
  }

  /**
   * A limit that a policy can have.
   *
   * @throws IllegalArgumentException if the text is no limit, or that of a queue
   */
  public static Limit parse(String text) {
    Limit limit = Limits.parse(text);
    if (limit.kind().queues()) {
      throw new IllegalArgumentException(
          "a request cannot wait for its turn, so a policy takes no " + limit.algorithm());
    }
    return limit;
  }

  /** The name of the policy. */
  public String policy() {
    return limiter.policy();
  }

  /** The limit. */
  public Limit limit() {
    return limiter.limit();
  }

  /**
   * Asks for units, and waits for the answer.
   *
   * @throws RuntimeException if no decision could be made and the policy does not say what then
   */
  public PolicyAnswer ask(String subject, long cost) {
    return new PolicyAnswer(limiter.tryAcquire(subject, cost), this);
  }

  Map<String, String> fields(Decision decision) {
    Map<String, String> fields = headers.fields(decision);
    if (!written) {
      fields.keySet().retainAll(Set.of("Retry-After"));
    }
    return fields;
  }
}
