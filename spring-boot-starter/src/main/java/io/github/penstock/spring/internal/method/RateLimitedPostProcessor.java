package io.github.penstock.spring.internal.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.util.ReflectionUtils;

/** Puts a proxy before each bean that has a method with {@code @RateLimited}. */
public final class RateLimitedPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
  private static final long serialVersionUID = 1L;
  private final transient Supplier<MethodLimits> limits;
  private final transient Set<Class<?>> types = ConcurrentHashMap.newKeySet();

  /** Proxies that apply these limits, which are created later. */
  public RateLimitedPostProcessor(Supplier<MethodLimits> limits) {
    this.limits = limits;
    setBeforeExistingAdvisors(true);
    setProxyTargetClass(true);
    advisor =
        new DefaultPointcutAdvisor(new AnnotatedMethods(), new RateLimitedInterceptor(limits));
  }

  @Override
  public Object postProcessBeforeInitialization(Object bean, String name) {
    Class<?> type = AopUtils.getTargetClass(bean);
    Method unseen = MethodLimits.unseen(type);
    if (unseen != null) {
      throw new WrongAnnotationException(
          "@RateLimited of a method that no proxy can see, because it is private, static or final: "
              + unseen,
          null);
    }
    if (isEligible(type)) {
      if (Modifier.isFinal(type.getModifiers())) {
        throw new WrongAnnotationException(
            "@RateLimited of a class that is final: " + type.getName(), null);
      }
      types.add(type);
    }
    return bean;
  }

  /**
   * Checks the annotations of all beans so far.
   *
   * @throws WrongAnnotationException if one names no policy, or an expression is wrong
   */
  public void check() {
    for (Class<?> type : types) {
      for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
        if (!limits.get().of(method, type).isEmpty() && SuspendingCalls.isBlocked(method)) {
          throw new WrongAnnotationException(
              "@RateLimited of the suspending function %s needs org.jetbrains.kotlinx:kotlinx-coroutines-reactor"
                  .formatted(method),
              null);
        }
      }
    }
  }

  private static final class AnnotatedMethods extends StaticMethodMatcherPointcut {
    @Override
    public boolean matches(Method method, Class<?> type) {
      Method specific = AopUtils.getMostSpecificMethod(method, type);
      return !MethodLimits.annotations(specific, type).isEmpty();
    }
  }
}
