package io.github.penstock.spring.internal.request;

import io.github.penstock.core.http.RateLimitHeaders;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Policies of exchanges of WebFlux. Immutable. */
public final class ExchangePolicies {
  private static final String WRITTEN = ExchangePolicies.class.getName() + ".WRITTEN";
  private final PolicyIndex<ServerWebExchange> index;
  private final ExchangeCors cors;

  /**
   * Policies that decide in this order.
   *
   * @param beans the beans that contain the application's handlers
   */
  public ExchangePolicies(List<RequestPolicy<ServerWebExchange>> policies, BeanFactory beans) {
    index = new PolicyIndex<>(policies, new ExchangeReader());
    cors = new ExchangeCors(beans);
  }

  /**
   * Whether an exchange may proceed; otherwise it is answered. Continuations of a decision run on a
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
      if (policy.counts(exchange)) {
        return decide(policy, exchange)
            .flatMap(
                verdict -> {
                  settleLater(verdict.held(), exchange.getResponse());
                  PolicyAnswer denial = verdict.denial();
                  if (denial != null) {
                    write(denial, exchange);
                    return cors.allow(exchange)
                        .then(
                            Mono.defer(
                                () ->
                                    refuse(
                                        denial.status(), denial.problem(), exchange.getResponse())))
                        .thenReturn(false);
                  }
                  verdict.answers().forEach(answer -> write(answer, exchange));
                  return allow(policies, exchange);
                });
      }
    }
    return Mono.just(true);
  }

  private static Mono<CallVerdict> decide(
      RequestPolicy<ServerWebExchange> policy, ServerWebExchange exchange) {
    return user(policy.needsUser(), exchange)
        .then(Mono.defer(() -> ReactiveLimiter.ask(policy.call(exchange))))
        .onErrorResume(
            Exception.class, failure -> Mono.just(CallVerdict.undecided(policy.limits(), failure)));
  }

  /** Reads the authenticated user, if a policy needs it. */
  public static Mono<Void> user(boolean needed, ServerWebExchange exchange) {
    return needed
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

  /** Settles held units by the status of the response before it is committed. */
  public static void settleLater(List<HeldUnits> held, ServerHttpResponse response) {
    if (!held.isEmpty()) {
      response.beforeCommit(() -> settle(held, response.getStatusCode()));
    }
  }

  private static Mono<Void> settle(List<HeldUnits> held, @Nullable HttpStatusCode status) {
    int value = status == null ? HttpStatus.OK.value() : status.value();
    return Flux.fromIterable(held)
        .concatMap(
            each ->
                each.isBlocking()
                    ? Mono.<Void>fromRunnable(() -> each.settle(value))
                        .subscribeOn(Schedulers.boundedElastic())
                    : Mono.fromCompletionStage(() -> each.settleLater(value)))
        .then();
  }

  /** Answers an exchange with a denial; its fields are written already. */
  public static Mono<Void> refuse(int status, String problem, ServerHttpResponse response) {
    response.setStatusCode(HttpStatusCode.valueOf(status));
    response.getHeaders().set(HttpHeaders.CONTENT_TYPE, RateLimitHeaders.PROBLEM_TYPE);
    DataBuffer body = response.bufferFactory().wrap(problem.getBytes(StandardCharsets.US_ASCII));
    return response.writeWith(Mono.just(body));
  }
}
