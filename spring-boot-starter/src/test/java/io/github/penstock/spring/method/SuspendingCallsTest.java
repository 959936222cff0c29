package io.github.penstock.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.spring.configure.MethodPolicyAutoConfiguration;
import io.github.penstock.spring.configure.PenstockAutoConfiguration;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import kotlin.ResultKt;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class SuspendingCallsTest {
  @AutoClose private static final ServerProcess redis = new EmbeddedServer().start();

  /** What a coroutine does after a function that suspended it. */
  private static final class ResumedCaller implements Continuation<Object> {
    private final CompletableFuture<Object> result = new CompletableFuture<>();

    @Override
    public CoroutineContext getContext() {
      return EmptyCoroutineContext.INSTANCE;
    }

    @Override
    public void resumeWith(Object ended) {
      try {
        ResultKt.throwOnFailure(ended);
        result.complete(ended);
      } catch (Throwable failure) {
        result.completeExceptionally(failure);
      }
    }

    Object result(@Nullable Object returned) throws Exception {
      return returned == IntrinsicsKt.getCOROUTINE_SUSPENDED()
          ? result.get(1, TimeUnit.MINUTES)
          : returned;
    }
  }

  @ParameterizedTest
  @DisplayName("a function of Kotlin suspends its caller while Redis does not answer")
  @ValueSource(strings = {"lettuce", "jedis"})
  void suspends(String client) {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                PenstockAutoConfiguration.class,
                MethodPolicyAutoConfiguration.class,
                DataRedisAutoConfiguration.class))
        .withPropertyValues(
            "spring.data.redis.port=" + redis.url().port(),
            "spring.data.redis.client-type=" + client,
            "penstock.deadline=30s",
            "penstock.policies.two.at=method",
            "penstock.policies.two.limit=fixed-window:2/1h")
        .withBean(SuspendingService.class)
        .run(
            context -> {
              SuspendingService service = context.getBean(SuspendingService.class);
              String id = UUID.randomUUID().toString();
              ResumedCaller first = new ResumedCaller();
              assertThat(first.result(service.greet(id, first))).isEqualTo("hello " + id);
              redis.freeze();
              ResumedCaller second = new ResumedCaller();
              Object returned;
              try {
                returned = service.greet(id, second);
              } finally {
                redis.thaw();
              }
              assertThat(returned).isSameAs(IntrinsicsKt.getCOROUTINE_SUSPENDED());
              assertThat(second.result(returned)).isEqualTo("hello " + id);
              ResumedCaller third = new ResumedCaller();
              Throwable denied = catchThrowable(() -> third.result(service.greet(id, third)));
              // A call that is decided at once does not suspend.
              assertThat(denied instanceof ExecutionException ? denied.getCause() : denied)
                  .isInstanceOf(RateLimitedException.class);
            });
  }
}
