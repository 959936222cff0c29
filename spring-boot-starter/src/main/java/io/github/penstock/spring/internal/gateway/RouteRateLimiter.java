package io.github.penstock.spring.internal.gateway;

import io.github.penstock.spring.internal.request.CallVerdict;
import io.github.penstock.spring.internal.request.ExchangePolicies;
import io.github.penstock.spring.internal.request.PlanLimits;
import io.github.penstock.spring.internal.request.PolicyAnswer;
import io.github.penstock.spring.internal.request.PolicyCall;
import io.github.penstock.spring.internal.request.ReactiveLimiter;
import io.github.penstock.spring.internal.request.RequestPolicy.AlsoPolicy;
import io.github.penstock.spring.internal.subject.SubjectText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Decides for the filter {@code RequestRateLimiter} of Spring Cloud Gateway by policies with {@code
 * at: gateway}, which a route names in {@code args}: {@code penstock.policies: partners, hourly}.
 * They decide in this order until one denies; earlier charges remain. The fields are those of the
 * strictest, with {@code Retry-After}.
 *
 * <p>The gateway passes a route and a key, not the request. A policy's cost is therefore a number,
 * and its limit cannot depend on a plan; both are possible for a policy that is decided with it. An
 * undecided call is a 503, regardless of the filter's status for denials.
 */
public final class RouteRateLimiter extends AbstractRateLimiter<RouteRateLimiter.RoutePolicies> {
  private static final String NAME = "penstock";
  private static final String ALL = "all";
  private static final String NO_EXCHANGE =
      "Reactor's context has no exchange: a ServerWebExchangeContextFilter must be there";
  private final Map<String, RoutePolicy> policies;

  /**
   * A policy of routes.
   *
   * @param limits its limits, without plans
   * @param cost the cost of each request
   * @param also the policy that is decided with it, or null
   */
  public record RoutePolicy(
      PlanLimits limits, long cost, @Nullable AlsoPolicy<ServerWebExchange> also) {
    PolicyCall call(String subject, ServerWebExchange exchange) {
      PolicyCall own = PolicyCall.of(limits, null, subject, cost);
      return also == null ? own : also.with(own, exchange, cost);
    }
  }

  /** The {@code args} of a route. */
  public static final class RoutePolicies {
    private List<String> policies = List.of();

    /** The names of its policies. */
    public List<String> getPolicies() {
      return policies;
    }

    /** Sets the names of its policies. */
    public void setPolicies(List<String> policies) {
      this.policies = List.copyOf(policies);
    }
  }

  /** A limiter that knows these policies, by their names. */
  public RouteRateLimiter(
      Map<String, RoutePolicy> policies, @Nullable ConfigurationService configuration) {
    super(RoutePolicies.class, NAME, configuration);
    this.policies = Map.copyOf(policies);
  }

  @Override
  public Mono<Response> isAllowed(String routeId, String id) {
    List<RoutePolicy> asked = new ArrayList<>();
    RoutePolicies named = getConfig().getOrDefault(routeId, new RoutePolicies());
    for (String name : named.getPolicies()) {
      RoutePolicy policy = policies.get(name);
      if (policy == null) {
        return Mono.error(mistake("the route %s names the policy \"%s\"", routeId, name));
      }
      asked.add(policy);
    }
    if (asked.isEmpty()) {
      return Mono.error(mistake("the route %s names no policy%s", routeId, ""));
    }
    String subject = SubjectText.isUsable(id) ? "value:" + id : ALL;
    return Flux.fromIterable(asked)
        .concatMap(policy -> answers(policy, subject))
        .takeUntil(answer -> !answer.allowed())
        .reduce((earlier, answer) -> answer.isStricterThan(earlier) ? answer : earlier)
        .flatMap(RouteRateLimiter::response)
        .defaultIfEmpty(new Response(true, Map.of()));
  }

  private static ResponseStatusException mistake(String rule, String route, String policy) {
    return new ResponseStatusException(
        HttpStatus.SERVICE_UNAVAILABLE,
        rule.formatted(route, policy)
            + ": its args must have penstock.policies, of policies at: gateway");
  }

  /* A dry run, and a policy that is switched off, have none. */
  private static Flux<PolicyAnswer> answers(RoutePolicy policy, String subject) {
    return (policy.limits().isReserved()
            ? exchange().flatMap(exchange -> verdict(policy, subject, exchange))
            : ReactiveLimiter.ask(PolicyCall.of(policy.limits(), null, subject, policy.cost())))
        .flatMapIterable(
            verdict -> {
              PolicyAnswer denial = verdict.denial();
              return denial == null ? verdict.answers() : List.of(denial);
            });
  }

  /* The gateway passes only a key. */
  private static Mono<ServerWebExchange> exchange() {
    return Mono.deferContextual(
        context ->
            Mono.justOrEmpty(ServerWebExchangeContextFilter.getExchange(context))
                .switchIfEmpty(Mono.error(() -> new IllegalStateException(NO_EXCHANGE))));
  }

  private static Mono<CallVerdict> verdict(
      RoutePolicy policy, String subject, ServerWebExchange exchange) {
    boolean needsUser = policy.also() != null && policy.also().needsUser();
    return ExchangePolicies.user(needsUser, exchange)
        .then(Mono.defer(() -> ReactiveLimiter.ask(policy.call(subject, exchange))))
        .onErrorResume(
            Exception.class, failure -> Mono.just(CallVerdict.undecided(policy.limits(), failure)))
        .doOnNext(verdict -> ExchangePolicies.settleLater(verdict.held(), exchange.getResponse()));
  }

  private static Mono<Response> response(PolicyAnswer answer) {
    return answer.allowed() || answer.decision().enforced()
        ? Mono.just(new Response(answer.allowed(), answer.fields()))
        : Mono.error(answer.exception(null));
  }
}
