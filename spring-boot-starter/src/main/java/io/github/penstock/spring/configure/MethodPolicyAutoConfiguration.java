package io.github.penstock.spring.configure;

import io.github.penstock.spring.method.MethodLimits;
import io.github.penstock.spring.method.RateLimitedAdvice;
import io.github.penstock.spring.method.RateLimitedExchangeHandler;
import io.github.penstock.spring.method.RateLimitedPostProcessor;
import io.github.penstock.spring.request.PlanLimits;
import io.github.penstock.spring.settings.PenstockProperties;
import io.github.penstock.spring.settings.PolicyProperties.Place;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
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
      PenstockProperties properties, PolicyRegistry registry, BeanFactory beans) {
    Map<String, PlanLimits> policies = new LinkedHashMap<>();
    properties
        .policies()
        .forEach(
            (name, policy) -> {
              if (policy.at() == Place.METHOD) {
                policies.put(name, registry.of(name));
              }
            });
    return new MethodLimits(policies, beans);
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

  /** Responses where a call was denied outside of controllers of WebFlux. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = Type.REACTIVE)
  static class ExchangeAnswerConfiguration {
    @Bean
    RateLimitedExchangeHandler penstockExchangeAnswers() {
      return new RateLimitedExchangeHandler();
    }
  }
}
