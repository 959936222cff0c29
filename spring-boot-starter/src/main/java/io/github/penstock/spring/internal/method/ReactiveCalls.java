package io.github.penstock.spring.internal.method;

import io.github.penstock.spring.internal.request.CallVerdict;
import io.github.penstock.spring.internal.request.PolicyCall;
import io.github.penstock.spring.internal.request.ReactiveLimiter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls with a later result: their limits are decided without a waiting thread. */
final class ReactiveCalls {
  private ReactiveCalls() {}

  /** Returns whether methods with this return type are called in this way. */
  static boolean takes(Class<?> returned) {
    return returned == Mono.class
        || returned == Flux.class
        || returned == CompletionStage.class
        || returned == CompletableFuture.class;
  }

  /**
   * The result of a method after its limits have allowed it: for each subscription, or for this
   * call if it returns a stage.
   *
   * @param calls the calls to decide
   * @param invocations the call, repeated each time
   */
  static Object after(
      Class<?> returned, Supplier<List<PolicyCall>> calls, Supplier<MethodInvocation> invocations) {
    Mono<Void> allowed =
        Flux.defer(() -> Flux.fromIterable(calls.get())).concatMap(ReactiveCalls::ask).then();
    if (returned == Flux.class) {
      return allowed.thenMany(Flux.defer(() -> (Flux<?>) result(invocations.get(), Flux.empty())));
    }
    if (returned == Mono.class) {
      return allowed.then(Mono.defer(() -> mono(result(invocations.get(), Mono.empty()))));
    }
    return allowed
        .then(
            Mono.defer(
                () -> {
                  Object stage = result(invocations.get(), CompletableFuture.completedFuture(null));
                  return Mono.fromCompletionStage((CompletionStage<?>) stage);
                }))
        .toFuture();
  }

  @SuppressWarnings("unchecked")
  private static Mono<Object> mono(Object result) {
    return (Mono<Object>) result;
  }

  private static Mono<Void> ask(PolicyCall call) {
    return ReactiveLimiter.ask(call).doOnNext(CallVerdict::check).then();
  }

  private static Object result(MethodInvocation invocation, Object empty) {
    try {
      @Nullable Object result = invocation.proceed();
      return result == null ? empty : result;
    } catch (RuntimeException | Error thrown) {
      throw thrown;
    } catch (Throwable checked) {
      throw new java.lang.reflect.UndeclaredThrowableException(checked);
    }
  }
}
