package io.github.penstock.spring.configure;

import static io.github.penstock.spring.configure.WrongPropertyException.checked;

import io.github.penstock.spring.internal.gateway.RouteRateLimiter;
import io.github.penstock.spring.internal.gateway.RouteRateLimiter.RoutePolicy;
import io.github.penstock.spring.internal.request.RequestCost;
import io.github.penstock.spring.internal.settings.PenstockProperties;
import io.github.penstock.spring.internal.settings.PolicyProperties;
import io.github.penstock.spring.internal.settings.PolicyProperties.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Primary;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.ServerWebExchange;

/** The limiter of Spring Cloud Gateway, if a policy is {@code at: gateway}. */
@AutoConfiguration(
    after = {PenstockAutoConfiguration.class, ReactivePolicyAutoConfiguration.class},
    beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnClass(RateLimiter.class)
@Conditional(RoutePolicyAutoConfiguration.RouteCondition.class)
public class RoutePolicyAutoConfiguration {
  private static final String ROUTES = "spring.cloud.gateway.server.webflux.routes";
  private static final String DEFAULTS = "spring.cloud.gateway.server.webflux.default-filters";

  static final class RouteCondition implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return new PolicyOrders(context.getEnvironment()).isUsed(Place.GATEWAY);
    }
  }

  /* Primary, because the gateway also creates one on Spring Data's Redis. */
  @Bean(PolicyAssembler.ROUTES)
  @Primary
  RouteRateLimiter penstockRateLimiter(
      PenstockProperties properties,
      PolicyRegistry registry,
      PolicyAssembler<ServerWebExchange> assembler,
      ConfigurationService configuration) {
    Map<String, RoutePolicy> policies = new LinkedHashMap<>();
    properties
        .policies()
        .forEach(
            (name, policy) -> {
              if (policy.at() == Place.GATEWAY) {
                policies.put(
                    name,
                    new RoutePolicy(registry.of(name), cost(name, policy), assembler.also(policy)));
              }
            });
    return new RouteRateLimiter(policies, configuration);
  }

  /** Policies that are decided with others, and those that charge by the response, need it. */
  @Bean
  @ConditionalOnMissingBean
  ServerWebExchangeContextFilter penstockExchangeContext() {
    return new ServerWebExchangeContextFilter();
  }

  private static long cost(String name, PolicyProperties policy) {
    String cost = policy.cost();
    return cost == null
        ? 1
        : checked("penstock.policies." + name + ".cost", () -> RequestCost.number(cost));
  }

  /** Checks the routes that properties describe; an invalid route of another kind is a 503. */
  @Bean
  SmartInitializingSingleton penstockRouteCheck(
      GatewayProperties gateway, PenstockProperties properties) {
    return () -> {
      int common = check(DEFAULTS, gateway.getDefaultFilters(), 0, properties);
      List<RouteDefinition> routes = gateway.getRoutes();
      for (int i = 0; i < routes.size(); i++) {
        check(ROUTES + "[" + i + "].filters", routes.get(i).getFilters(), common, properties);
      }
    };
  }

  /* The number of our filters of a route; the gateway would give each the arguments of the last. */
  private static int check(
      String property, List<FilterDefinition> filters, int before, PenstockProperties properties) {
    int ours = before;
    for (int i = 0; i < filters.size(); i++) {
      FilterDefinition filter = filters.get(i);
      if ("RequestRateLimiter".equals(filter.getName()) && !namesLimiter(filter)) {
        check(property + "[" + i + "].args.penstock.policies", filter.getArgs(), properties);
        ours++;
      }
    }
    if (ours > 1) {
      throw new WrongPropertyException(
          property, "a route has one RequestRateLimiter, which may name several policies", null);
    }
    return ours;
  }

  private static boolean namesLimiter(FilterDefinition filter) {
    return filter.getArgs().containsKey("rate-limiter")
        || filter.getArgs().containsKey("rateLimiter");
  }

  private static void check(
      String property, Map<String, String> arguments, PenstockProperties properties) {
    List<String> names = new ArrayList<>();
    arguments.forEach(
        (name, value) -> {
          if (name.startsWith("penstock.policies")) {
            names.addAll(List.of(value.split("\\s*,\\s*")));
          }
        });
    for (String name : names.isEmpty() ? List.of("") : names) {
      PolicyProperties policy = properties.policies().get(name);
      if (policy == null || policy.at() != Place.GATEWAY) {
        throw new WrongPropertyException(
            property, "must be of policies at: gateway: \"" + name + "\"", null);
      }
    }
  }
}
