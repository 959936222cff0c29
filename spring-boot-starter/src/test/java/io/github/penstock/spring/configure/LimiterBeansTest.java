package io.github.penstock.spring.configure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.lettuce.LettuceRateLimiters;
import io.github.penstock.spring.internal.client.MissingClientException;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The limiters that an application finds as beans, and what it may put in their place. */
class LimiterBeansTest {
  private static final Limit ONE = FixedWindow.of(1, Duration.ofHours(1));
  @AutoClose private static final ServerProcess redis = new EmbeddedServer().start();
  private static ApplicationContextRunner runner;

  @BeforeAll
  static void start() {
    runner =
        new ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(
                    PenstockAutoConfiguration.class, DataRedisAutoConfiguration.class))
            .withPropertyValues(
                "spring.data.redis.port=" + redis.url().port(), "penstock.deadline=30s");
  }

  @Test
  @DisplayName("blocking and asynchronous limiters decide together")
  void both() {
    runner.run(
        context -> {
          RateLimiters limiters = context.getBean(RateLimiters.class);
          AsyncRateLimiters asynchronous = context.getBean(AsyncRateLimiters.class);
          assertThat(limiters.limiter("both", ONE).tryAcquire("a").allowed()).isTrue();
          assertThat(
                  asynchronous
                      .asyncLimiter("both", ONE)
                      .tryAcquire("a")
                      .toCompletableFuture()
                      .join()
                      .allowed())
              .isFalse();
        });
  }

  @Test
  @DisplayName("on Jedis asynchronous limiters are refused, and what to do is said")
  void jedis() {
    runner
        .withPropertyValues("spring.data.redis.client-type=jedis")
        .run(
            context -> {
              assertThat(context.getBean(RateLimiters.class)).isNotNull();
              assertThatThrownBy(() -> context.getBean(AsyncRateLimiters.class))
                  .rootCause()
                  .isInstanceOf(MissingClientException.class)
                  .hasMessageContaining("blocking");
            });
  }

  @Test
  @DisplayName("customizers and listeners that are beans are applied, after the properties")
  void customized() {
    List<String> heard = new CopyOnWriteArrayList<>();
    RateLimitListener listener =
        new RateLimitListener() {
          @Override
          public void onDecision(
              LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {
            heard.add(call.policy());
          }
        };
    runner
        .withPropertyValues("penstock.prefix=property")
        .withBean(RateLimitListener.class, () -> listener)
        .withBean(LimiterOptionsCustomizer.class, () -> options -> options.prefix("customizer"))
        .run(
            context -> {
              context.getBean(RateLimiters.class).limiter("heard", ONE).tryAcquire("a");
              assertThat(heard).containsExactly("heard");
              assertThat((List<?>) redis.call("KEYS", "customizer:heard:*")).hasSize(1);
              assertThat((List<?>) redis.call("KEYS", "property:*")).isEmpty();
            });
  }

  private static ApplicationContextRunner withoutOptions() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                PenstockAutoConfiguration.class, DataRedisAutoConfiguration.class))
        .withPropertyValues("spring.data.redis.port=" + redis.url().port());
  }

  @ParameterizedTest
  @DisplayName("a property that limiters of the application's own do not have ends the start")
  @ValueSource(
      strings = {
        "penstock.prefix=mine",
        "penstock.deadline=2s",
        "penstock.onUnavailable=allow",
        "penstock.redis.url=redis://localhost",
        "penstock.policies.api.deadline=2s",
        "penstock.policies.api.on-unavailable=deny"
      })
  void lostOptions(String property) {
    LettuceRateLimiters own =
        LettuceRateLimiters.connect(redis.url().toString(), RateLimiterOptions.defaults());
    withoutOptions()
        .withBean("own", LettuceRateLimiters.class, () -> own)
        .withPropertyValues("penstock.policies.api.limit=fixed-window:1/1h", property)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("it has no effect, because a bean of RateLimiters"));
  }

  @Test
  @DisplayName("limiters of the application's own take their place, for policies, too")
  void own() {
    LettuceRateLimiters own =
        LettuceRateLimiters.connect(redis.url().toString(), RateLimiterOptions.defaults());
    withoutOptions()
        .withBean("own", LettuceRateLimiters.class, () -> own)
        .withPropertyValues("penstock.policies.api.limit=fixed-window:1/1h")
        .run(
            context -> {
              assertThat(context).hasSingleBean(RateLimiters.class);
              assertThat(context.getBean(RateLimiters.class)).isSameAs(own);
              assertThat(context.getBean(AsyncRateLimiters.class)).isSameAs(own);
              context.getBean(PolicyRegistry.class).of("api").of(null).limiter().tryAcquire("a");
            });
    assertThatThrownBy(() -> own.limiter("own", ONE).tryAcquire("a"))
        .as("closed by Spring, as every bean is")
        .isInstanceOf(IllegalStateException.class);
  }
}
