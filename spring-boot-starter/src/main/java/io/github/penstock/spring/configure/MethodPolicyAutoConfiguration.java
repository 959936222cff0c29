package io.github.penstock.spring.configure;

import static io.github.penstock.spring.configure.WrongPropertyException.checked;

import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.spring.configure.PolicyProperties.Place;
import io.github.penstock.spring.method.MethodLimits;
import io.github.penstock.spring.method.MethodPolicy;
import io.github.penstock.spring.method.RateLimitedAdvice;
import io.github.penstock.spring.method.RateLimitedPostProcessor;
import io.github.penstock.spring.request.PlanLimit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Limits of methods that are annotated. */
@AutoConfiguration(after = PenstockAutoConfiguration.class)
public class MethodPolicyAutoConfiguration {
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static RateLimitedPostProcessor penstockRateLimited(ObjectProvider<MethodLimits> limits) {
    return new RateLimitedPostProcessor(limits::getObject);
  }

  @Bean
  MethodLimits penstockMethodLimits(
      PenstockProperties properties, LimiterPool pool, RateLimiters common, BeanFactory beans) {
    Map<String, MethodPolicy> policies = new LinkedHashMap<>();
    properties
        .policies()
        .forEach(
            (name, policy) -> {
              if (policy.at() == Place.METHOD) {
                policies.put(name, policy(properties, name, policy, pool, common));
              }
            });
    return new MethodLimits(policies, beans);
  }

  private static MethodPolicy policy(
      PenstockProperties properties,
      String name,
      PolicyProperties policy,
      LimiterPool pool,
      RateLimiters common) {
    String property = "penstock.policies." + name;
    String text = policy.limit();
    if (policy.isAboutRequests() || text == null) {
      throw new WrongPropertyException(
          property + ".limit",
          "a policy at: method must have a limit, and may have a deadline and an on-unavailable",
          null);
    }
    RateLimiters limiters = checked(property + ".deadline", () -> pool.of(policy, common));
    Limit limit = checked(property + ".limit", () -> PolicyAssembler.limit(text));
    Duration deadline = policy.deadline();
    return new MethodPolicy(
        name,
        limiters,
        checked(
            property,
            () ->
                PlanLimit.of(
                    name, limiters.limiter(name, limit), limit, properties.headers().form())),
        deadline == null ? properties.deadline() : deadline);
  }

  @Bean
  SmartInitializingSingleton penstockAnnotationCheck(RateLimitedPostProcessor proxies) {
    return proxies::check;
  }

  /** Responses to requests whose controllers were denied a call. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication
  @ConditionalOnClass(RestControllerAdvice.class)
  static class AdviceConfiguration {
    @Bean
    RateLimitedAdvice penstockAdvice() {
      return new RateLimitedAdvice();
    }
  }
}
