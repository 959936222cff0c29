package io.github.penstock.spring.configure;

import io.github.penstock.spring.configure.PolicyProperties.Place;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if the properties have a policy at a place. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnPlace.PlaceCondition.class)
@interface ConditionalOnPlace {
  /** The place. */
  Place value();

  final class PlaceCondition implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      Place place =
          metadata.getAnnotations().get(ConditionalOnPlace.class).getEnum("value", Place.class);
      return new PolicyOrders(context.getEnvironment()).isUsed(place);
    }
  }
}
