package io.github.penstock.spring.configure;

import io.github.penstock.spring.internal.request.ExchangePolicies;
import io.github.penstock.spring.internal.request.ExchangePolicyFilter;
import io.github.penstock.spring.internal.request.ExchangeReader;
import io.github.penstock.spring.internal.request.PolicyHandlerAdapter;
import io.github.penstock.spring.internal.settings.PenstockProperties;
import io.github.penstock.spring.internal.settings.PolicyProperties.Place;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.BeanRegistry.SupplierContext;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.pattern.PathPatternParser;

/** Filters of WebFlux that apply the policies: one for each order. */
@AutoConfiguration(after = PenstockAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass(RequestMappingHandlerMapping.class)
@Import(ReactivePolicyAutoConfiguration.FilterRegistrar.class)
public class ReactivePolicyAutoConfiguration {
  /* The controllers' parser, so that no spelling that reaches one passes a pattern. */
  @Bean
  PolicyAssembler<ServerWebExchange> penstockExchangePolicies(
      PenstockProperties properties,
      PolicyRegistry registry,
      BeanFactory beans,
      @Qualifier("requestMappingHandlerMapping")
          ObjectProvider<RequestMappingHandlerMapping> controllers,
      Environment environment) {
    RequestMappingHandlerMapping mapping = controllers.getIfAvailable();
    return new PolicyAssembler<>(
        properties,
        registry,
        beans,
        mapping == null ? PathPatternParser.defaultInstance : mapping.getPathPatternParser(),
        new PolicyOrders(environment).actuator(),
        new ExchangeReader());
  }

  static class FilterRegistrar implements BeanRegistrar {
    private static final ParameterizedTypeReference<PolicyAssembler<ServerWebExchange>> POLICIES =
        new ParameterizedTypeReference<>() {};

    @Override
    public void register(BeanRegistry registry, Environment environment) {
      PolicyOrders orders = new PolicyOrders(environment);
      for (int order : orders.all()) {
        registry.registerBean(
            "penstockPolicyFilter" + order,
            ExchangePolicyFilter.class,
            bean -> bean.supplier(context -> filter(order, orders, context)));
      }
      if (orders.isUsed(Place.HANDLER)) {
        registry.registerBean(
            PolicyAssembler.HANDLERS,
            PolicyHandlerAdapter.class,
            bean -> bean.supplier(FilterRegistrar::adapter));
      }
    }

    private static PolicyHandlerAdapter adapter(SupplierContext context) {
      PolicyAssembler<ServerWebExchange> assembler = context.bean(POLICIES);
      return new PolicyHandlerAdapter(
          new ExchangePolicies(assembler.handlerPolicies(), assembler.beans()),
          (ListableBeanFactory) assembler.beans());
    }

    private static ExchangePolicyFilter filter(
        int order, PolicyOrders orders, SupplierContext context) {
      PolicyAssembler<ServerWebExchange> assembler = context.bean(POLICIES);
      return new ExchangePolicyFilter(
          new ExchangePolicies(
              assembler.policies(policy -> orders.isOf(order, policy)), assembler.beans()),
          order);
    }
  }
}
