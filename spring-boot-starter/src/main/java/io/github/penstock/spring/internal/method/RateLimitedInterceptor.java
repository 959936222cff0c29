package io.github.penstock.spring.internal.method;

import io.github.penstock.spring.internal.request.PolicyCall;
import io.github.penstock.spring.method.RateLimitedException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/** Applies the limits of a method before it is called. */
final class RateLimitedInterceptor implements MethodInterceptor {
  private static final boolean REACTOR =
      ClassUtils.isPresent(
          "reactor.core.publisher.Mono", RateLimitedInterceptor.class.getClassLoader());

  private final Supplier<MethodLimits> limits;

  RateLimitedInterceptor(Supplier<MethodLimits> limits) {
    this.limits = limits;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Class<?> returned = SuspendingCalls.returned(invocation.getMethod());
    if (REACTOR && ReactiveCalls.takes(returned)) {
      ProxyMethodInvocation proxied = (ProxyMethodInvocation) invocation;
      return ReactiveCalls.after(returned, () -> calls(invocation), proxied::invocableClone);
    }
    boolean stage = returned == CompletionStage.class || returned == CompletableFuture.class;
    try {
      calls(invocation).forEach(call -> call.ask().check());
    } catch (RateLimitedException denied) {
      if (stage) {
        return CompletableFuture.failedFuture(denied);
      }
      throw denied;
    }
    return invocation.proceed();
  }

  private List<PolicyCall> calls(MethodInvocation invocation) {
    Object target = invocation.getThis();
    Class<?> type =
        target == null
            ? invocation.getMethod().getDeclaringClass()
            : AopUtils.getTargetClass(target);
    var method = AopUtils.getMostSpecificMethod(invocation.getMethod(), type);
    return limits.get().of(method, type).stream()
        .map(limit -> limit.of(target, method, invocation.getArguments()))
        .toList();
  }
}
