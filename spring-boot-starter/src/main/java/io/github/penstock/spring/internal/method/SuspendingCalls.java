package io.github.penstock.spring.internal.method;

import java.lang.reflect.Method;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Functions of Kotlin that suspend: Spring's proxies call them as a {@code Mono}, or a {@code Flux}
 * where they return a {@code Flow}, and suspend the caller until that has ended.
 */
final class SuspendingCalls {
  private static final boolean BRIDGED =
      ClassUtils.isPresent(
          "kotlinx.coroutines.reactor.MonoKt", SuspendingCalls.class.getClassLoader());
  private static final String FLOW = "kotlinx.coroutines.flow.Flow";

  private SuspendingCalls() {}

  /** The type that a proxy sees a method return. */
  static Class<?> returned(Method method) {
    if (!KotlinDetector.isSuspendingFunction(method)) {
      return method.getReturnType();
    }
    return method.getReturnType().getName().equals(FLOW) ? Flux.class : Mono.class;
  }

  /** Returns whether a method suspends, and the libraries to suspend its caller are missing. */
  static boolean isBlocked(Method method) {
    return !BRIDGED && KotlinDetector.isSuspendingFunction(method);
  }
}
