package io.github.penstock.spring.request;

import io.github.penstock.core.http.RateLimitHeaders;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Lets an exchange go on if all of its policies allow, or answers it. What comes after a decision
 * runs on a thread of {@link Schedulers#parallel()}, never on the client's.
 */
public final class ExchangePolicyFilter implements WebFilter, Ordered {
  private static final String WRITTEN = ExchangePolicyFilter.class.getName() + ".WRITTEN";
  private final List<RequestPolicy<ServerWebExchange, ReactiveLimiter>> policies;
  private final int order;

  /** A filter for these policies, which are asked in their order. */
  public ExchangePolicyFilter(
      List<RequestPolicy<ServerWebExchange, ReactiveLimiter>> policies, int order) {
    this.policies = List.copyOf(policies);
    this.order = order;
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    return from(0, exchange, chain);
  }

  private Mono<Void> from(int index, ServerWebExchange exchange, WebFilterChain chain) {
    if (index == policies.size()) {
      return chain.filter(exchange);
    }
    RequestPolicy<ServerWebExchange, ReactiveLimiter> policy = policies.get(index);
    if (!policy.counts(exchange)) {
      return from(index + 1, exchange, chain);
    }
    return decide(policy, exchange)
        .flatMap(
            answer -> {
              if (!policy.dryRun()) {
                write(answer, exchange);
                if (!answer.allowed()) {
                  return refuse(answer, exchange.getResponse());
                }
              }
              return from(index + 1, exchange, chain);
            });
  }

  private static Mono<PolicyAnswer> decide(
      RequestPolicy<ServerWebExchange, ReactiveLimiter> policy, ServerWebExchange exchange) {
    PlanLimit<ReactiveLimiter> limit = policy.limits().of(exchange);
    return user(policy.subject(), exchange)
        .then(
            Mono.defer(
                () ->
                    limit
                        .limiter()
                        .tryAcquire(policy.subject().of(exchange), policy.cost().of(exchange))))
        .map(decision -> new PolicyAnswer(decision, limit))
        .onErrorResume(Exception.class, failure -> Mono.just(policy.undecided(limit, failure)))
        .publishOn(Schedulers.parallel());
  }

  private static Mono<Void> user(
      RequestSubject<ServerWebExchange> subject, ServerWebExchange exchange) {
    return subject.needsUser()
        ? exchange
            .getPrincipal()
            .map(Principal::getName)
            .doOnNext(name -> exchange.getAttributes().put(ExchangeReader.USER, name))
            .onErrorComplete()
            .then()
        : Mono.empty();
  }

  private static void write(PolicyAnswer answer, ServerWebExchange exchange) {
    PolicyAnswer earlier = exchange.getAttribute(WRITTEN);
    if (answer.isStricterThan(earlier)) {
      HttpHeaders headers = exchange.getResponse().getHeaders();
      if (earlier != null) {
        earlier.fields().keySet().forEach(headers::remove);
      }
      exchange.getAttributes().put(WRITTEN, answer);
      answer.fields().forEach(headers::set);
    }
  }

  private static Mono<Void> refuse(PolicyAnswer answer, ServerHttpResponse response) {
    response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
    response.getHeaders().set(HttpHeaders.CONTENT_TYPE, RateLimitHeaders.PROBLEM_TYPE);
    byte[] problem = answer.problem().getBytes(StandardCharsets.US_ASCII);
    DataBuffer body = response.bufferFactory().wrap(problem);
    return response.writeWith(Mono.just(body));
  }
}
