package io.github.penstock.spring.internal.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Applies policies when WebFlux has found the handler of an exchange, and then calls the handler
 * through WebFlux's own adapter. Safe for use by several threads.
 *
 * @param policies the policies
 * @param beans those of the application; Actuator on a separate port has others
 * @param adapters all others, by their location
 */
public record PolicyHandlerAdapter(
    ExchangePolicies policies,
    ListableBeanFactory beans,
    Map<ListableBeanFactory, List<HandlerAdapter>> adapters)
    implements HandlerAdapter, Ordered {
  /** An adapter for the handlers of an application, and of contexts below it. */
  public PolicyHandlerAdapter(ExchangePolicies policies, ListableBeanFactory beans) {
    this(policies, beans, new ConcurrentHashMap<>());
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public boolean supports(Object handler) {
    return adapters(beans).stream().anyMatch(adapter -> adapter.supports(handler));
  }

  @Override
  public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
    ListableBeanFactory own = exchange.getApplicationContext();
    return policies
        .allow(exchange)
        .flatMap(
            allowed ->
                allowed
                    ? adapter(own == null ? beans : own, handler).handle(exchange, handler)
                    : Mono.empty());
  }

  private HandlerAdapter adapter(ListableBeanFactory own, Object handler) {
    return adapters(own).stream()
        .filter(adapter -> adapter.supports(handler))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no adapter for the handler " + handler));
  }

  private List<HandlerAdapter> adapters(ListableBeanFactory own) {
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
