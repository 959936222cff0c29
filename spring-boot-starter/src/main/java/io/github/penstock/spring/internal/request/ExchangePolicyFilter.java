package io.github.penstock.spring.internal.request;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Lets an exchange proceed if all of its policies allow it, or answers it.
 *
 * @param policies the policies
 * @param order its place among other filters
 */
public record ExchangePolicyFilter(ExchangePolicies policies, int order)
    implements WebFilter, Ordered {
  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    return policies
        .allow(exchange)
        .flatMap(allowed -> allowed ? chain.filter(exchange) : Mono.<Void>empty());
  }
}
