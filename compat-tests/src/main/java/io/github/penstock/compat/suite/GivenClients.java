package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Rules about a client of the application, which an adapter's own tests make. */
public final class GivenClients {
  private static final Limit LIMIT = FixedWindow.of(1_000, Duration.ofHours(1));

  private GivenClients() {}

  private static RateLimiterOptions options() {
    return RateLimiterOptions.builder()
        .prefix(UUID.randomUUID().toString())
        .deadline(Duration.ofHours(1))
        .onUnavailable(OnUnavailable.ALLOW)
        .build();
  }

  /**
   * A client that the application has closed is a mistake, and no outage; no call waits for its
   * deadline.
   *
   * @param closing closes the client
   * @param message a part of the exception's
   */
  public static void closed(
      Function<RateLimiterOptions, RateLimiters> using, Runnable closing, String message) {
    try (RateLimiters limiters = using.apply(options())) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      assertThat(api.tryAcquire("u").enforced()).isTrue();
      closing.run();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> api.tryAcquire("u"))
            .isExactlyInstanceOf(MisconfiguredException.class)
            .hasMessageContaining(message);
      }
      isMisconfigured(api.tryAcquireAll(List.of("u", "v")));
      if (limiters instanceof AsyncRateLimiters async) {
        AsyncRateLimiter stages = async.asyncLimiter("api", LIMIT);
        assertThatThrownBy(() -> stages.tryAcquire("u").toCompletableFuture().join())
            .hasCauseExactlyInstanceOf(MisconfiguredException.class);
        isMisconfigured(stages.tryAcquireAll(List.of("u", "v")).toCompletableFuture().join());
      }
    }
  }

  private static void isMisconfigured(List<Outcome> outcomes) {
    assertThat(outcomes)
        .hasSize(2)
        .allSatisfy(
            outcome ->
                assertThatThrownBy(outcome::decision)
                    .isExactlyInstanceOf(MisconfiguredException.class));
  }

  /**
   * A supplier is asked once, and again when its client was closed and replaced.
   *
   * @param connecting makes a client
   * @param closing closes one
   * @return the last client, which must be open still
   */
  public static <C> C replaced(
      Supplier<C> connecting,
      Consumer<C> closing,
      BiFunction<Supplier<C>, RateLimiterOptions, RateLimiters> using) {
    AtomicInteger asked = new AtomicInteger();
    AtomicReference<C> current = new AtomicReference<>(connecting.get());
    Supplier<C> clients =
        () -> {
          asked.incrementAndGet();
          return current.get();
        };
    try (RateLimiters limiters = using.apply(clients, options())) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      for (int i = 1; i <= 100; i++) {
        assertThat(api.tryAcquire("u").remaining()).isEqualTo(1_000 - i);
      }
      assertThat(asked).hasValue(1);
      closing.accept(current.get());
      C last = connecting.get();
      current.set(last);
      assertThat(api.tryAcquire("u").remaining()).isEqualTo(1_000 - 101);
      return last;
    }
  }
}
