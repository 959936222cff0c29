package io.github.penstock.spring.internal.method;

import io.github.penstock.spring.internal.method.MethodLimit.MethodAlso;
import io.github.penstock.spring.internal.request.PlanLimits;
import io.github.penstock.spring.method.RateLimited;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

/**
 * The annotations of methods, with the policies that they name. Safe for use by several threads.
 */
public final class MethodLimits {
  private final Map<String, MethodPolicy> policies;
  private final BeanFactory beans;
  private final Map<MethodKey, List<MethodLimit>> known = new ConcurrentHashMap<>();

  private record MethodKey(Method method, Class<?> type) {}

  /**
   * A policy of methods.
   *
   * @param limits its limits
   * @param also those of the policy that is decided with it; null if there is none
   * @param alsoCost the cost of a call there; 0 for that of the policy itself
   */
  public record MethodPolicy(PlanLimits limits, @Nullable PlanLimits also, long alsoCost) {}

  /** The annotations that name these policies. */
  public MethodLimits(Map<String, MethodPolicy> policies, BeanFactory beans) {
    this.policies = Map.copyOf(policies);
    this.beans = beans;
  }

  /**
   * The limits of a method, in the order of its annotations.
   *
   * @throws WrongAnnotationException if an annotation names no policy, or an expression is wrong
   */
  List<MethodLimit> of(Method method, Class<?> type) {
    return known.computeIfAbsent(
        new MethodKey(method, type),
        key -> annotations(method, type).stream().map(each -> limit(each, method)).toList());
  }

  private MethodLimit limit(RateLimited annotation, Method method) {
    String name = annotation.policy();
    MethodPolicy policy = policies.get(name);
    if (policy == null) {
      throw new WrongAnnotationException(
          name.isEmpty()
              ? "@RateLimited of %s names no policy: write @RateLimited(\"NAME\"), with a NAME of %s"
                  .formatted(method, policies.keySet())
              : "@RateLimited of %s names the policy \"%s\": there must be penstock.policies.%s with at: method"
                  .formatted(method, name, name),
          null);
    }
    if (annotation.also().isEmpty() != (policy.also == null)) {
      throw new WrongAnnotationException(
          "@RateLimited of %s: an also is needed where the policy has one, and only there: %s"
              .formatted(method, name),
          null);
    }
    try {
      return new MethodLimit(
          policy.limits,
          annotation.subject().isEmpty() ? null : MethodExpression.of(annotation.subject(), beans),
          MethodExpression.of(annotation.cost(), beans),
          policy.also == null
              ? null
              : new MethodAlso(
                  policy.also, MethodExpression.of(annotation.also(), beans), policy.alsoCost));
    } catch (IllegalArgumentException wrong) {
      throw new WrongAnnotationException(
          "@RateLimited of " + method + ": " + wrong.getMessage(), wrong);
    }
  }

  /** The annotations of a method; if it has none, and is public, those of its class. */
  static Set<RateLimited> annotations(Method method, Class<?> type) {
    Set<RateLimited> own = annotations(method);
    boolean ofClass =
        own.isEmpty()
            && Modifier.isPublic(method.getModifiers())
            && method.getDeclaringClass() != Object.class;
    return ofClass
        ? AnnotatedElementUtils.findMergedRepeatableAnnotations(type, RateLimited.class)
        : own;
  }

  private static Set<RateLimited> annotations(Method method) {
    return AnnotatedElementUtils.findMergedRepeatableAnnotations(method, RateLimited.class);
  }

  /** A method of a class that is annotated but invisible to proxies; null without one. */
  static @Nullable Method unseen(Class<?> type) {
    for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
      int modifiers = method.getModifiers();
      boolean hidden = Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers);
      boolean unseen = hidden || Modifier.isFinal(modifiers);
      if (unseen && !method.isSynthetic() && isLimited(method, type, hidden)) {
        return method;
      }
    }
    return null;
  }

  private static boolean isLimited(Method method, Class<?> type, boolean hidden) {
    return MergedAnnotations.from(method).isPresent(RateLimited.class)
        || !(hidden ? annotations(method) : annotations(method, type)).isEmpty();
  }
}
