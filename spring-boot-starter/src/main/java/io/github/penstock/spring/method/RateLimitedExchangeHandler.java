package io.github.penstock.spring.method;

import io.github.penstock.spring.request.ExchangePolicies;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Answers an exchange of WebFlux in which a call was denied where no controller's advice reaches,
 * such as in a filter.
 */
public final class RateLimitedExchangeHandler implements WebExceptionHandler, Ordered {
  /* Before Boot's, which answers with a 500. */
  @Override
  public int getOrder() {
    return -2;
  }

  @Override
  public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
    ServerHttpResponse response = exchange.getResponse();
    if (!(failure instanceof RateLimitedException denied) || response.isCommitted()) {
      return Mono.error(failure);
    }
    denied.fields().forEach(response.getHeaders()::set);
    return ExchangePolicies.refuse(denied.answer(), response);
  }
}
