package io.github.penstock.spring.configure;

import io.github.penstock.core.OnUnavailable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A policy of HTTP requests or of methods. Immutable.
 *
 * @param at Where it is asked: in a filter, about HTTP requests, or before methods that are
 *     annotated with its name. Then it has a limit, and may have a deadline and an on-unavailable.
 * @param limit Limit of each subject, such as "token-bucket:100/1m,burst=20".
 * @param limits Limits by the names of plans, in place of one limit.
 * @param plan Expression whose value is the name of a plan. A request without one is under the
 *     strictest limit.
 * @param subject Whom a request counts for: "ip" (IPv6 by /64; the default), "user", "header:NAME"
 *     or an expression. A request without one counts for its address.
 * @param cost Units that a request costs: a number or an expression; 1 by default.
 * @param paths Patterns of paths that the policy is about, as controllers have them; all if none is
 *     given.
 * @param methods Methods that the policy is about; all if none is given. "GET" includes "HEAD".
 * @param exclude Patterns of paths that are not counted; those of Actuator by default.
 * @param skipIf Expression that is true for requests that are not counted.
 * @param order Order of the filter that asks; after Spring Security by default. A lower one than
 *     Security's asks before it.
 * @param dryRun Whether requests pass whatever the limit says.
 * @param onUnavailable What happens without a decision in an outage, if it is not as for all
 *     policies.
 * @param deadline How long a decision may take, if it is not as for all policies.
 */
public record PolicyProperties(
    @DefaultValue("filter") Place at,
    @Nullable String limit,
    @DefaultValue Map<String, String> limits,
    @Nullable String plan,
    @Nullable String subject,
    @Nullable String cost,
    @DefaultValue List<String> paths,
    @DefaultValue List<String> methods,
    @Nullable List<String> exclude,
    @Nullable String skipIf,
    @Nullable Integer order,
    @DefaultValue("false") boolean dryRun,
    @Nullable OnUnavailable onUnavailable,
    @Nullable Duration deadline) {
  /** Where a policy is asked. */
  public enum Place {
    /** In a filter of HTTP requests. */
    FILTER,
    /** Before methods that are annotated. */
    METHOD
  }

  /** The limits as text by the names of plans; the one limit by the empty name. */
  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>(limits);
    if (limit != null) {
      texts.put("", limit);
    }
    return texts;
  }

  /** Returns whether it has a property that is about HTTP requests. */
  boolean isAboutRequests() {
    return !limits.isEmpty()
        || !paths.isEmpty()
        || !methods.isEmpty()
        || dryRun
        || Stream.of(plan, subject, cost, exclude, skipIf, order).anyMatch(Objects::nonNull);
  }
}
