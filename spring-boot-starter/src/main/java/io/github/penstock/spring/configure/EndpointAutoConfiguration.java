package io.github.penstock.spring.configure;

import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.spring.actuate.PenstockEndpoint;
import io.github.penstock.spring.actuate.ShownPolicy;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The endpoint of Actuator. */
@AutoConfiguration(after = PenstockAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
public class EndpointAutoConfiguration {
  @Bean
  @ConditionalOnAvailableEndpoint
  PenstockEndpoint penstockEndpoint(
      PenstockProperties properties, LimiterPool pool, RateLimiters common) {
    Map<String, ShownPolicy> policies = new LinkedHashMap<>();
    properties
        .policies()
        .forEach(
            (name, policy) -> policies.put(name, shown(name, policy, pool.of(policy, common))));
    return new PenstockEndpoint(policies, common::nearStatistics);
  }

  private static ShownPolicy shown(String name, PolicyProperties policy, RateLimiters limiters) {
    Map<String, RateLimiter> byPlan = new LinkedHashMap<>();
    policy
        .texts()
        .forEach(
            (plan, text) -> byPlan.put(plan, limiters.limiter(name, PolicyAssembler.limit(text))));
    return new ShownPolicy(policy.at().name().toLowerCase(Locale.ROOT), policy.dryRun(), byPlan);
  }
}
