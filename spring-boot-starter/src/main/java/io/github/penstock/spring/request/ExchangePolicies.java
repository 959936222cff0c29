package io.github.penstock.spring.request;

import io.github.penstock.core.http.RateLimitHeaders;
import io.github.penstock.spring.control.PolicyMode;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Iterator;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Policies of exchanges of WebFlux. Immutable. */
public final class ExchangePolicies {
  private static final String WRITTEN = ExchangePolicies.class.getName() + ".WRITTEN";
  private final PolicyIndex<ServerWebExchange> index;
  private final ExchangeCors cors;

  /**
   * Policies that are asked in this order.
   *
   * @param beans where the application's handlers are found
   */
  public ExchangePolicies(List<RequestPolicy<ServerWebExchange>> policies, BeanFactory beans) {
    index = new PolicyIndex<>(policies, new ExchangeReader());
    cors = new ExchangeCors(beans);
  }

  /**
   * Whether an exchange may go on; it is answered otherwise. What comes after a decision runs on a
   * thread of Reactor's parallel scheduler. A preflight is never counted.
   */
  Mono<Boolean> allow(ServerWebExchange exchange) {
    if (ExchangeCors.isPreflight(exchange)) {
      return Mono.just(true);
    }
    return allow(index.of(exchange).iterator(), exchange);
  }

  private Mono<Boolean> allow(
      Iterator<RequestPolicy<ServerWebExchange>> policies, ServerWebExchange exchange) {
    while (policies.hasNext()) {
      RequestPolicy<ServerWebExchange> policy = policies.next();
      PolicyMode mode = policy.limits().mode();
      if (mode != PolicyMode.OFF && policy.counts(exchange)) {
        return decide(policy, exchange)
            .flatMap(
                answer -> {
                  if (mode == PolicyMode.ENFORCED) {
                    write(answer, exchange);
                    if (!answer.allowed()) {
                      return cors.allow(exchange)
                          .then(Mono.defer(() -> refuse(answer, exchange.getResponse())))
                          .thenReturn(false);
                    }
                  }
                  return allow(policies, exchange);
                });
      }
    }
    return Mono.just(true);
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
      if (earlier == null) {
        ExchangeCors.expose(answer.fields().keySet(), exchange);
      } else {
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
