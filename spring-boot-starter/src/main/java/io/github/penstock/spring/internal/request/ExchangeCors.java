package io.github.penstock.spring.internal.request;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * {@link ServletCors} for exchanges of WebFlux.
 *
 * @param beans the beans that contain the handlers
 */
public record ExchangeCors(BeanFactory beans) {
  /** Returns whether an exchange is a preflight, which WebFlux gives to no handler. */
  static boolean isPreflight(ServerWebExchange exchange) {
    return CorsUtils.isPreFlightRequest(exchange.getRequest());
  }

  /**
   * Lets a browser read these fields, in addition to all others that are exposed until the response
   * is sent.
   */
  public static void expose(Set<String> names, ServerWebExchange exchange) {
    if (!CorsUtils.isCorsRequest(exchange.getRequest())) {
      return;
    }
    exchange
        .getResponse()
        .beforeCommit(
            () ->
                Mono.fromRunnable(
                    () -> {
                      HttpHeaders headers = exchange.getResponse().getHeaders();
                      Set<String> all = new TreeSet<>(headers.getAccessControlExposeHeaders());
                      all.addAll(names);
                      all.add(HttpHeaders.RETRY_AFTER);
                      headers.setAccessControlExposeHeaders(List.copyOf(all));
                    }));
  }

  /**
   * Lets a browser of an allowed origin read a denial: the lookup of a handler writes the fields.
   */
  public Mono<Void> allow(ServerWebExchange exchange) {
    if (!CorsUtils.isCorsRequest(exchange.getRequest())
        || exchange.getResponse().getHeaders().getAccessControlAllowOrigin() != null) {
      return Mono.empty();
    }
    return Flux.fromStream(() -> beans.getBeanProvider(HandlerMapping.class).orderedStream())
        .concatMap(mapping -> mapping.getHandler(exchange))
        .next()
        .onErrorComplete()
        .then();
  }
}
