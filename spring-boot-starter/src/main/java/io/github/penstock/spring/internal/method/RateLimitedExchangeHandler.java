package io.github.penstock.spring.internal.method;

import io.github.penstock.spring.internal.request.ExchangeCors;
import io.github.penstock.spring.method.RateLimitedException;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Answers an exchange of WebFlux in which a call was denied outside the reach of a controller's
 * advice, such as in a filter.
 *
 * @param cors lets browsers of other origins read the answer
 */
public record RateLimitedExchangeHandler(ExchangeCors cors)
    implements WebExceptionHandler, Ordered {
  /* Before Boot's handler, which answers with a 500. */
  @Override
  public int getOrder() {
    return -2;
  }

  @Override
  public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
    if (!(failure instanceof RateLimitedException denied) || exchange.getResponse().isCommitted()) {
      return Mono.error(failure);
    }
    return cors.allow(exchange)
        .then(Mono.defer(() -> ExchangeDenialAdvice.answer(denied, exchange)));
  }
}
