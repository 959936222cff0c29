package io.github.penstock.spring.configure;

import static io.github.penstock.spring.configure.WrongPropertyException.checked;

import io.github.penstock.spring.internal.method.ExchangeDenialAdvice;
import io.github.penstock.spring.internal.method.MethodLimits;
import io.github.penstock.spring.internal.method.MethodLimits.MethodPolicy;
import io.github.penstock.spring.internal.method.RateLimitedAdvice;
import io.github.penstock.spring.internal.method.RateLimitedExchangeHandler;
import io.github.penstock.spring.internal.method.RateLimitedPostProcessor;
import io.github.penstock.spring.internal.request.ExchangeCors;
import io.github.penstock.spring.internal.request.RequestCost;
import io.github.penstock.spring.internal.settings.PenstockProperties;
import io.github.penstock.spring.internal.settings.PolicyProperties.Place;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
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
    Map<String, MethodPolicy> policies = new LinkedHashMap<>();
    properties
        .policies()
        .forEach(
            (name, policy) -> {
              if (policy.at() == Place.METHOD) {
                policies.put(name, policy(registry, name, policy.also(), properties));
              }
            });
    return new MethodLimits(policies, beans);
  }

  private static MethodPolicy policy(
      PolicyRegistry registry, String name, @Nullable String also, PenstockProperties properties) {
    if (also == null) {
      return new MethodPolicy(registry.of(name), null, 0);
    }
    String cost = Objects.requireNonNull(properties.policies().get(also)).cost();
    return new MethodPolicy(
        registry.of(name),
        registry.of(also),
        cost == null
            ? 0
            : checked("penstock.policies." + also + ".cost", () -> RequestCost.number(cost)));
  }

  @Bean
  SmartInitializingSingleton penstockAnnotationCheck(RateLimitedPostProcessor proxies) {
    return proxies::check;
  }

  /** Responses to requests whose controllers were denied a call. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = Type.SERVLET)
  @ConditionalOnClass(RestControllerAdvice.class)
  static class AdviceConfiguration {
    @Bean
    RateLimitedAdvice penstockAdvice() {
      return new RateLimitedAdvice();
    }
  }

  /** The WebFlux variant, where a call may also be denied outside controllers. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = Type.REACTIVE)
  static class ExchangeAnswerConfiguration {
    @Bean
    ExchangeDenialAdvice penstockAdvice() {
      return new ExchangeDenialAdvice();
    }

    @Bean
    RateLimitedExchangeHandler penstockExchangeAnswers(BeanFactory beans) {
      return new RateLimitedExchangeHandler(new ExchangeCors(beans));
    }
  }
}
