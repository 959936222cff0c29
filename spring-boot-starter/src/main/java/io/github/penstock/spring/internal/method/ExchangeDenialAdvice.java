package io.github.penstock.spring.internal.method;

import io.github.penstock.spring.internal.request.ExchangeCors;
import io.github.penstock.spring.internal.request.ExchangePolicies;
import io.github.penstock.spring.method.RateLimitedException;
import org.springframework.core.annotation.Order;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** {@link RateLimitedAdvice} for WebFlux. */
@RestControllerAdvice
@Order(0)
public final class ExchangeDenialAdvice {
  @ExceptionHandler
  Mono<Void> denied(RateLimitedException denied, ServerWebExchange exchange) {
    return answer(denied, exchange);
  }

  static Mono<Void> answer(RateLimitedException denied, ServerWebExchange exchange) {
    ServerHttpResponse response = exchange.getResponse();
    ExchangeCors.expose(denied.fields().keySet(), exchange);
    denied.fields().forEach(response.getHeaders()::set);
    return ExchangePolicies.refuse(denied.status(), denied.problem(), response);
  }
}
