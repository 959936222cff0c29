package io.github.penstock.spring.configure;

import io.github.penstock.spring.internal.request.HandlerPolicyInterceptor;
import io.github.penstock.spring.internal.request.ServletPolicies;
import io.github.penstock.spring.internal.request.ServletPolicyFilter;
import io.github.penstock.spring.internal.request.ServletReader;
import io.github.penstock.spring.internal.request.SettlementFilter;
import io.github.penstock.spring.internal.settings.PenstockProperties;
import io.github.penstock.spring.internal.settings.PolicyProperties.Place;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.BeanRegistry.SupplierContext;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.util.pattern.PathPatternParser;

/** Filters of servlets that apply the policies: one for each order. */
@AutoConfiguration(after = PenstockAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass({OncePerRequestFilter.class, FilterRegistrationBean.class})
@Import(ServletPolicyAutoConfiguration.FilterRegistrar.class)
public class ServletPolicyAutoConfiguration {
  /* The controllers' parser, so that no spelling that reaches one passes a pattern. */
  @Bean
  PolicyAssembler<HttpServletRequest> penstockServletPolicies(
      PenstockProperties properties,
      PolicyRegistry registry,
      BeanFactory beans,
      ObjectProvider<PathPatternParser> parsers,
      Environment environment) {
    PathPatternParser parser = parsers.getIfUnique();
    return new PolicyAssembler<>(
        properties,
        registry,
        beans,
        parser == null ? PathPatternParser.defaultInstance : parser,
        new PolicyOrders(environment).actuator(),
        new ServletReader());
  }

  static class FilterRegistrar implements BeanRegistrar {
    private static final boolean MVC =
        ClassUtils.isPresent(
            "org.springframework.web.servlet.handler.MappedInterceptor",
            FilterRegistrar.class.getClassLoader());
    private static final ParameterizedTypeReference<PolicyAssembler<HttpServletRequest>> POLICIES =
        new ParameterizedTypeReference<>() {};

    @Override
    public void register(BeanRegistry registry, Environment environment) {
      PolicyOrders orders = new PolicyOrders(environment);
      for (int order : orders.all()) {
        registry.registerBean(
            "penstockPolicyFilter" + order,
            new ParameterizedTypeReference<FilterRegistrationBean<ServletPolicyFilter>>() {},
            bean -> bean.supplier(context -> registration(order, orders, context)));
      }
      if (orders.isSettled()) {
        registry.registerBean(
            PolicyAssembler.SETTLEMENT,
            new ParameterizedTypeReference<FilterRegistrationBean<SettlementFilter>>() {},
            bean -> bean.supplier(context -> settlement()));
      }
      if (MVC && orders.isUsed(Place.HANDLER)) {
        registry.registerBean(
            PolicyAssembler.HANDLERS,
            MappedInterceptor.class,
            bean -> bean.supplier(FilterRegistrar::mapped));
      }
    }

    private static MappedInterceptor mapped(SupplierContext context) {
      PolicyAssembler<HttpServletRequest> assembler = context.bean(POLICIES);
      ServletPolicies policies =
          new ServletPolicies(assembler.handlerPolicies(), assembler.beans());
      return new MappedInterceptor(null, new HandlerPolicyInterceptor(policies));
    }

    private static FilterRegistrationBean<SettlementFilter> settlement() {
      FilterRegistrationBean<SettlementFilter> registration =
          new FilterRegistrationBean<>(new SettlementFilter());
      registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
      registration.setDispatcherTypes(DispatcherType.REQUEST);
      return registration;
    }

    private static FilterRegistrationBean<ServletPolicyFilter> registration(
        int order, PolicyOrders orders, SupplierContext context) {
      PolicyAssembler<HttpServletRequest> assembler = context.bean(POLICIES);
      ServletPolicyFilter filter =
          new ServletPolicyFilter(
              new ServletPolicies(
                  assembler.policies(policy -> orders.isOf(order, policy)), assembler.beans()));
      FilterRegistrationBean<ServletPolicyFilter> registration =
          new FilterRegistrationBean<>(filter);
      registration.setOrder(order);
      registration.setDispatcherTypes(DispatcherType.REQUEST);
      return registration;
    }
  }
}
