package io.github.penstock.compat.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.spi.BusyNodeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Very many calls at once, each with a separate subject, none of which can be answered. */
public final class CallFlood {
  private static final int CALLS = 20_000;

  /* Only so that a test ends at all: no machine is so busy. */
  private static final long MOST_MINUTES = 2;

  /* Ending this number of calls takes processor time, as does beginning them. */
  private static final int DEADLINES = 16;

  private final List<CompletableFuture<Decision>> stages = new ArrayList<>();
  private Duration beginning = Duration.ZERO;

  private CallFlood() {}

  /** Makes 20,000 calls. */
  public static CallFlood start(AsyncRateLimiter limiter) {
    return start(limiter, CALLS);
  }

  /** Makes so many calls. */
  public static CallFlood start(AsyncRateLimiter limiter, int calls) {
    CallFlood flood = new CallFlood();
    long begun = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      flood.stages.add(limiter.tryAcquire("subject-" + i).toCompletableFuture());
    }
    flood.beginning = Duration.ofNanos(System.nanoTime() - begun);
    return flood;
  }

  /**
   * Returns once every call has failed; the awaited event must not come before. Fails if they
   * waited for a client's own time-out instead of their deadline.
   */
  public void awaitEnd(Duration deadline) {
    try (StallWatch stalls = StallWatch.watching()) {
      long begun = System.nanoTime();
      for (CompletableFuture<Decision> stage : stages) {
        assertThatThrownBy(() -> stage.get(MOST_MINUTES, TimeUnit.MINUTES))
            .isInstanceOf(ExecutionException.class);
      }
      long ended = System.nanoTime();
      Duration stalled = Duration.ofNanos(stalls.nanosWithin(begun, ended));
      assertThat(Duration.ofNanos(ended - begun))
          .as(
              "from the last call of %d, which took %s to begin, to the last failure; stalls of %s",
              stages.size(), beginning, stalled)
          .isLessThan(deadline.plus(beginning).multipliedBy(DEADLINES).plus(stalled));
    }
  }

  /** Returns how many have neither been decided nor failed yet. */
  public long waiting() {
    return stages.stream().filter(stage -> !stage.isDone()).count();
  }

  /** Returns how many said that they may have been charged. */
  public long unknown() {
    return stages.stream()
        .map(CallFlood::failure)
        .filter(failure -> failure instanceof MayHaveBeenChargedException || isBusy(failure))
        .count();
  }

  private static boolean isBusy(@Nullable Throwable failure) {
    return failure != null && failure.getCause() instanceof BusyNodeException;
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
