package io.github.penstock.spring.internal.settings;

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
 * A policy of HTTP requests, of methods or of routes of a gateway. Immutable.
 *
 * @param at Where it decides: in a filter, for HTTP requests, or when their handler is found;
 *     before methods that are annotated with its name; for routes of Spring Cloud Gateway that name
 *     it; or with the policies that name it by "also".
 * @param limit Limit of each subject, such as "token-bucket:100/1m,burst=20".
 * @param limits Limits by the names of plans, in place of one limit; "unlimited" for none.
 * @param plan Expression for the name of a plan. A request without one gets the strictest limit.
 * @param subject Subject of a request: "ip" (IPv6 by /64; the default), "user", "header:NAME" or an
 *     expression. A request without one counts for its address.
 * @param cost Units that a request costs: a number or an expression; 1 by default.
 * @param paths Patterns of paths to which the policy applies, in the syntax of controllers; all if
 *     none is given.
 * @param methods Methods to which the policy applies; all if none is given. "GET" includes "HEAD".
 * @param exclude Patterns of paths that are not counted; those of Actuator by default.
 * @param skipIf Expression that is true for requests that are not counted.
 * @param order Order of the filter that decides; after Spring Security by default. An order below
 *     Security's decides before it. Among policies at handlers the lower order decides first.
 * @param enabled Whether it decides at all; false lets requests pass without charging them.
 * @param dryRun Whether it admits all requests; they are still charged.
 * @param onUnavailable Outcome in an outage, if it differs from that of all policies.
 * @param deadline Deadline of a decision, if it differs from that of all policies.
 * @param also Name of a policy at: also, such as a tenant's, that is decided with this one, all or
 *     none: a user of two tenants then has two counts, a tenant is one slot of a cluster, and
 *     counts restart once, because keys move to the tenant's hash tag.
 * @param chargeWhen Responses whose requests are charged, such as "status 401, 403": their cost is
 *     held before the request, and returned after any other response. All requests by default.
 * @param leases Units that are charged in advance, for a few subjects with very many calls; none by
 *     default.
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
    @DefaultValue("true") boolean enabled,
    @DefaultValue("false") boolean dryRun,
    @Nullable OnUnavailable onUnavailable,
    @Nullable Duration deadline,
    @Nullable String also,
    @Nullable String chargeWhen,
    @Nullable PolicyLeases leases) {
  /** The place where a policy decides. */
  public enum Place {
    /** In a filter of HTTP requests. */
    FILTER,
    /** When the handler of an HTTP request is found, such as the method of a controller. */
    HANDLER,
    /** Before methods that are annotated. */
    METHOD,
    /** Of routes of Spring Cloud Gateway. */
    GATEWAY,
    /** With the policies that name it. */
    ALSO
  }

  /**
   * Units that a process charges in advance for a subject.
   *
   * @param most Units of one lease, 2 to 10^12.
   * @param atMost Longest time for which they are held, 1 ms to 1 h.
   */
  public record PolicyLeases(long most, @DefaultValue("500ms") Duration atMost) {}

  /** The limits as text by the names of plans; a single limit has the empty name. */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>(limits);
    if (limit != null) {
      texts.put("", limit);
    }
    return texts;
  }

  /**
   * Returns whether it has a property that a policy which is decided with others takes from them.
   */
  public boolean hasOwnTerms() {
    return !paths.isEmpty()
        || !methods.isEmpty()
        || Stream.of(exclude, skipIf, order, onUnavailable, deadline, also, chargeWhen, leases)
            .anyMatch(Objects::nonNull);
  }

  /** Returns whether it has a property that reads HTTP requests. */
  public boolean isAboutRequests() {
    return !limits.isEmpty()
        || !paths.isEmpty()
        || !methods.isEmpty()
        || Stream.of(plan, subject, exclude, skipIf, order).anyMatch(Objects::nonNull);
  }
}
