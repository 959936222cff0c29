package io.github.penstock.spring.configure;

import io.github.penstock.core.RateLimiters;
import io.github.penstock.spring.control.PolicySwitches;
import io.github.penstock.spring.internal.actuate.PenstockEndpoint;
import io.github.penstock.spring.internal.actuate.ShownPolicy;
import io.github.penstock.spring.internal.settings.PenstockProperties;
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
      PenstockProperties properties,
      PolicyRegistry registry,
      PolicySwitches switches,
      LimiterPool pool,
      RateLimiters limiters) {
    Map<String, ShownPolicy> policies = new LinkedHashMap<>();
    properties
        .policies()
        .forEach(
            (name, policy) -> {
              String at = policy.at().name().toLowerCase(Locale.ROOT);
              policies.put(
                  name,
                  new ShownPolicy(
                      at,
                      registry.of(name),
                      JointPolicies.isReserved(name, properties.policies()),
                      () -> switches.position(name)));
            });
    return new PenstockEndpoint(
        policies, () -> pool.nearStatistics(limiters), switches, properties.changeLimits());
  }
}
