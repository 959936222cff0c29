package io.github.penstock.spring.configure;

import io.github.penstock.spring.internal.settings.PolicyProperties;
import io.github.penstock.spring.internal.settings.PolicyProperties.Place;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The orders of the policies' filters, from the properties, before any bean exists.
 *
 * @param environment the properties
 */
record PolicyOrders(Environment environment) {
  private static final int AFTER_SECURITY = 10;

  /** All orders. */
  Set<Integer> all() {
    Set<Integer> orders = new TreeSet<>();
    policies()
        .filter(policy -> policy.at() == Place.FILTER)
        .forEach(policy -> orders.add(of(policy)));
    return orders;
  }

  /** Returns whether a policy is at this place. */
  boolean isUsed(Place place) {
    return policies().anyMatch(policy -> policy.at() == place);
  }

  /** Returns whether a policy holds units until the response is known. */
  boolean isSettled() {
    return policies().anyMatch(policy -> policy.chargeWhen() != null);
  }

  private Stream<PolicyProperties> policies() {
    return Binder.get(environment)
        .bind("penstock.policies", Bindable.mapOf(String.class, PolicyProperties.class))
        .orElse(Map.of())
        .values()
        .stream();
  }

  /** Returns whether a policy decides in the filter of this order. */
  boolean isOf(int order, PolicyProperties policy) {
    return policy.at() == Place.FILTER && of(policy) == order;
  }

  /** The order of a policy: its own property, or after Spring Security, whose order is -100. */
  int of(PolicyProperties policy) {
    Integer order = policy.order();
    int security = environment.getProperty("spring.security.filter.order", Integer.class, -100);
    return order == null ? security + AFTER_SECURITY : order;
  }

  /** The path of Actuator's endpoints. */
  String actuator() {
    return environment.getProperty("management.endpoints.web.base-path", "/actuator");
  }
}
