package io.github.penstock.spring.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Asks policies when WebFlux has found the handler of an exchange, and then calls the handler by
 * the adapter that WebFlux would have taken. Safe for use by several threads.
 *
 * @param policies the policies
 * @param context that of the application; Actuator on a port of its own has another
 * @param adapters all others, by contexts
 */
public record PolicyHandlerAdapter(
    ExchangePolicies policies,
    ApplicationContext context,
    Map<ApplicationContext, List<HandlerAdapter>> adapters)
    implements HandlerAdapter, Ordered {
  /** An adapter for the handlers of a context and of those below it. */
  public PolicyHandlerAdapter(ExchangePolicies policies, ApplicationContext context) {
    this(policies, context, new ConcurrentHashMap<>());
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public boolean supports(Object handler) {
    return adapters(context).stream().anyMatch(adapter -> adapter.supports(handler));
  }

  @Override
  public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
    ApplicationContext own = exchange.getApplicationContext();
    return policies
        .allow(exchange)
        .flatMap(
            allowed ->
                allowed
                    ? adapter(own == null ? context : own, handler).handle(exchange, handler)
                    : Mono.empty());
  }

  private HandlerAdapter adapter(ApplicationContext own, Object handler) {
    return adapters(own).stream()
        .filter(adapter -> adapter.supports(handler))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no adapter for the handler " + handler));
  }

  private List<HandlerAdapter> adapters(ApplicationContext own) {
    return adapters.computeIfAbsent(
        own,
        missing -> {
          List<HandlerAdapter> found =
              new ArrayList<>(
                  BeanFactoryUtils.beansOfTypeIncludingAncestors(
                          missing, HandlerAdapter.class, true, false)
                      .values());
          found.removeIf(PolicyHandlerAdapter.class::isInstance);
          AnnotationAwareOrderComparator.sort(found);
          return found;
        });
  }
}
