package io.github.penstock.spring.request;

import java.util.List;
import java.util.function.Predicate;
import org.springframework.web.server.ServerWebExchange;

/**
 * Selects exchanges by the path as WebFlux matches it.
 *
 * @param selection which are selected
 */
public record ExchangePaths(PathSelection selection) implements Predicate<ServerWebExchange> {
  @Override
  public boolean test(ServerWebExchange exchange) {
    return selection.selects(
        exchange.getRequest().getMethod().name(),
        List.of(exchange.getRequest().getPath().pathWithinApplication()));
  }
}
