package io.github.penstock.spring.configure;

import io.github.penstock.core.RateLimiters;
import io.github.penstock.spring.request.ServletPaths;
import io.github.penstock.spring.request.ServletPolicyFilter;
import io.github.penstock.spring.request.ServletReader;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.BeanRegistry.SupplierContext;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.env.Environment;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.pattern.PathPatternParser;

/** Filters of servlets that ask the policies: one for each order. */
@AutoConfiguration(after = PenstockAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass({OncePerRequestFilter.class, FilterRegistrationBean.class})
@Import(ServletPolicyAutoConfiguration.FilterRegistrar.class)
public class ServletPolicyAutoConfiguration {
  /* The parser as controllers have it, so that no spelling that reaches one passes a pattern. */
  @Bean
  PolicyAssembler<HttpServletRequest> penstockServletPolicies(
      PenstockProperties properties,
      BeanFactory beans,
      ObjectProvider<PathPatternParser> parsers,
      Environment environment) {
    PathPatternParser parser = parsers.getIfUnique();
    return new PolicyAssembler<>(
        properties,
        beans,
        parser == null ? PathPatternParser.defaultInstance : parser,
        environment.getProperty("management.endpoints.web.base-path", "/actuator"),
        new ServletReader(),
        ServletPaths::new);
  }

  static class FilterRegistrar implements BeanRegistrar {
    @Override
    public void register(BeanRegistry registry, Environment environment) {
      Set<Integer> orders = new TreeSet<>();
      Binder.get(environment)
          .bind("penstock.policies", Bindable.mapOf(String.class, PolicyProperties.class))
          .orElse(Map.of())
          .values()
          .forEach(policy -> orders.add(order(policy, environment)));
      for (int order : orders) {
        registry.registerBean(
            "penstockPolicyFilter" + order,
            new ParameterizedTypeReference<FilterRegistrationBean<ServletPolicyFilter>>() {},
            bean -> bean.supplier(context -> registration(order, environment, context)));
      }
    }

    private static FilterRegistrationBean<ServletPolicyFilter> registration(
        int order, Environment environment, SupplierContext context) {
      LimiterPool pool = context.bean(LimiterPool.class);
      RateLimiters common = context.bean(RateLimiters.class);
      PolicyAssembler<HttpServletRequest> assembler =
          context.bean(new ParameterizedTypeReference<PolicyAssembler<HttpServletRequest>>() {});
      ServletPolicyFilter filter =
          new ServletPolicyFilter(
              assembler.policies(
                  policy -> order(policy, environment) == order,
                  policy -> limiters(policy, pool, common)::limiter));
      FilterRegistrationBean<ServletPolicyFilter> registration =
          new FilterRegistrationBean<>(filter);
      registration.setOrder(order);
      registration.setDispatcherTypes(DispatcherType.REQUEST);
      return registration;
    }

    private static RateLimiters limiters(
        PolicyProperties policy, LimiterPool pool, RateLimiters common) {
      return policy.deadline() == null && policy.onUnavailable() == null
          ? common
          : pool.of(policy.deadline(), policy.onUnavailable());
    }

    /* Spring Security's is -100. */
    private static int order(PolicyProperties policy, Environment environment) {
      Integer order = policy.order();
      int security = environment.getProperty("spring.security.filter.order", Integer.class, -100);
      return order == null ? security + 10 : order;
    }
  }
}
