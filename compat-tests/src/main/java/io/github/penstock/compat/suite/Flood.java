package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.MayHaveBeenChargedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Very many calls at once, each with a subject of its own, none of which can be answered. */
final class Flood {
  private static final int CALLS = 20_000;

  /* Failing so many calls takes a processor's time, of which a busy machine gives little. */
  private static final Duration SLACK = Duration.ofSeconds(15);

  private final List<CompletableFuture<Decision>> stages = new ArrayList<>();

  static Flood start(AsyncRateLimiter limiter) {
    return start(limiter, CALLS);
  }

  static Flood start(AsyncRateLimiter limiter, int calls) {
    Flood flood = new Flood();
    for (int i = 0; i < calls; i++) {
      flood.stages.add(limiter.tryAcquire("subject-" + i).toCompletableFuture());
    }
    return flood;
  }

  /** Fails unless every call has failed about a deadline after the last of them began. */
  void awaitEnd(Duration deadline) {
    long begun = System.nanoTime();
    for (CompletableFuture<Decision> stage : stages) {
      assertThatThrownBy(() -> stage.get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .as("from the last call of %d to the last failure", stages.size())
        .isLessThan(deadline.plus(SLACK));
  }

  /** How many have neither been decided nor failed yet. */
  long waiting() {
    return stages.stream().filter(stage -> !stage.isDone()).count();
  }

  /** How many said that they may have been charged. */
  long unknown() {
    return stages.stream()
        .filter(stage -> failure(stage) instanceof MayHaveBeenChargedException)
        .count();
  }

  private static @Nullable Throwable failure(CompletableFuture<Decision> stage) {
    try {
      stage.join();
      return null;
    } catch (CompletionException failure) {
      return failure.getCause();
    }
  }
}
