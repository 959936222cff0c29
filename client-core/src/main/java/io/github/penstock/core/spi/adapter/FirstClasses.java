package io.github.penstock.core.spi.adapter;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.waiting.DaemonThreads;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of a call in the background, when the first limiters of a process are created:
 * it calls a transport that answers immediately. Else a busy machine spends the first call's
 * deadline on it.
 */
final class FirstClasses implements ScriptTransport {
  private static final AtomicBoolean BEGUN = new AtomicBoolean();
  private static final List<Long> DENIED = List.of(0L, 1L, 0L, 1L, 1L, 1L);

  private FirstClasses() {}

  /** Begins, once for all. */
  static void load() {
    if (BEGUN.compareAndSet(false, true)) {
      DaemonThreads.start(FirstClasses::callOnce, "penstock-classes");
    }
  }

  private static void callOnce() {
    new TransportRateLimiters(
            new FirstClasses(), RateLimiterOptions.defaults(), KnownPasswords.none(), () -> {})
        .limiter("classes", FixedWindow.of(1, Duration.ofSeconds(1)))
        .tryAcquire("classes");
  }

  @Override
  public CompletionStage<?> send(ScriptCall call) {
    return CompletableFuture.completedFuture(DENIED);
  }

  @Override
  public List<? extends CompletionStage<?>> sendAll(List<ScriptCall> calls) {
    return calls.stream().map(this::send).toList();
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return null;
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    return CompletableFuture.completedFuture(null);
  }
}
