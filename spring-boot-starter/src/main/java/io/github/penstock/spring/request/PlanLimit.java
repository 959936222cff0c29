package io.github.penstock.spring.request;

import io.github.penstock.core.Decision;
import io.github.penstock.core.http.HeaderForm;
import io.github.penstock.core.http.RateLimitHeaders;
import io.github.penstock.core.limit.Limit;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a policy's callers, or of those of one plan.
 *
 * @param limiter who decides
 * @param limit its limit
 * @param headers its header fields
 * @param written whether they are written; {@code Retry-After} always is
 * @param <L> the limiter
 */
public record PlanLimit<L>(L limiter, Limit limit, RateLimitHeaders headers, boolean written) {
  /**
   * The limit of a policy.
   *
   * @param form the form of the header fields; null for none
   */
  public static <L> PlanLimit<L> of(
      String policy, L limiter, Limit limit, @Nullable HeaderForm form) {
    RateLimitHeaders headers = RateLimitHeaders.of(policy, limit);
    return new PlanLimit<>(
        limiter, limit, form == null ? headers : headers.form(form), form != null);
  }

  Map<String, String> fields(Decision decision) {
    Map<String, String> fields = headers.fields(decision);
    if (!written) {
      fields.keySet().retainAll(Set.of("Retry-After"));
    }
    return fields;
  }
}
