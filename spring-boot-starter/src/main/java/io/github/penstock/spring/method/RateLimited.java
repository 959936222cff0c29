package io.github.penstock.spring.method;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Calls of this method, or of all public methods of this class, are counted under a policy, {@code
 * penstock.policies.<name>} with {@code at: method}. A denied call throws a {@link
 * RateLimitedException}; if it reaches a controller, the response is a 429.
 *
 * <pre>
 * &#64;RateLimited(policy = "reports", subject = "#customer", cost = "#pages.size()")
 * Report print(String customer, List&lt;Page&gt; pages)
 * </pre>
 *
 * <p>A {@code Mono} or {@code Flux} is decided on each subscription, a {@code CompletionStage}
 * without blocking. Several annotations apply in their order; earlier charges remain if a later one
 * denies. A method's annotation replaces that of its class. It can be a meta-annotation.
 *
 * <p>A proxy intercepts the calls: a call from within the same object, or on an object that is not
 * a bean, is not counted. An annotated private, static or final method prevents the start.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(RateLimited.Several.class)
public @interface RateLimited {
  /** The name of the policy. */
  @AliasFor("policy")
  String value() default "";

  /** The name of the policy. */
  @AliasFor("value")
  String policy() default "";

  /**
   * An expression of the subject, with the arguments as {@code #name} and beans as {@code @name}.
   * All calls without a subject, because it is omitted, is null or throws, count as one subject.
   */
  String subject() default "";

  /**
   * An expression of the cost: a whole number of any type, or as a text. A value below 1, or of
   * another type, counts as 1, and is logged at most once a second.
   */
  String cost() default "1";

  /**
   * An expression of the second subject, such as the tenant's, if the policy has {@code also}: both
   * are charged, or none. All calls without one count as one subject.
   */
  String also() default "";

  /** Several of them. */
  @Target({ElementType.METHOD, ElementType.TYPE})
  @Retention(RetentionPolicy.RUNTIME)
  @Documented
  @interface Several {
    /** The annotations. */
    RateLimited[] value();
  }
}
