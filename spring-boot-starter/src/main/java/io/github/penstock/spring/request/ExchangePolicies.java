package io.github.penstock.spring.request;

import io.github.penstock.core.http.RateLimitHeaders;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Policies of exchanges of WebFlux.
 *
 * @param policies in the order in which they are asked
 */
public record ExchangePolicies(List<RequestPolicy<ServerWebExchange>> policies) {
  private static final String WRITTEN = ExchangePolicies.class.getName() + ".WRITTEN";

  /** Policies that are asked in this order. */
  public ExchangePolicies {
    policies = List.copyOf(policies);
  }

  /**
   * Whether an exchange may go on; it is answered otherwise. What comes after a decision runs on a
   * thread of Reactor's parallel scheduler.
   */
  Mono<Boolean> allow(ServerWebExchange exchange) {
    return from(0, exchange);
  }

  private Mono<Boolean> from(int index, ServerWebExchange exchange) {
    if (index == policies.size()) {
      return Mono.just(true);
    }
    RequestPolicy<ServerWebExchange> policy = policies.get(index);
    if (!policy.counts(exchange)) {
      return from(index + 1, exchange);
    }
    return decide(policy, exchange)
        .flatMap(
            answer -> {
              if (!policy.limits().dryRun()) {
                write(answer, exchange);
                if (!answer.allowed()) {
                  return refuse(answer, exchange.getResponse()).thenReturn(false);
                }
              }
              return from(index + 1, exchange);
            });
  }

  private static Mono<PolicyAnswer> decide(
      RequestPolicy<ServerWebExchange> policy, ServerWebExchange exchange) {
    PlanLimit limit = policy.limit(exchange);
    return user(policy.subject(), exchange)
        .then(
            Mono.defer(
                () ->
                    ReactiveLimiter.ask(
                        limit, policy.subject().of(exchange), policy.cost().of(exchange))))
        .onErrorResume(
            Exception.class, failure -> Mono.just(PolicyAnswer.undecided(limit, failure)));
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

  /** Answers an exchange with a denial; its fields are written already. */
  public static Mono<Void> refuse(PolicyAnswer answer, ServerHttpResponse response) {
    response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
    response.getHeaders().set(HttpHeaders.CONTENT_TYPE, RateLimitHeaders.PROBLEM_TYPE);
    byte[] problem = answer.problem().getBytes(StandardCharsets.US_ASCII);
    DataBuffer body = response.bufferFactory().wrap(problem);
    return response.writeWith(Mono.just(body));
  }
}
