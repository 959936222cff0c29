package io.github.penstock.core.internal.failure;

import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads the stages of a transport, and the failures that they end with. */
public final class TransportStages {
  /** The reason of a call that was not answered in time, or could not be sent. */
  private static final String LATE = "no answer within the deadline";

  private TransportStages() {}

  /**
   * Waits for an answer until a deadline, at which the stage is cancelled. An interrupt ends no
   * wait: the call may have been charged, and the deadline is near; the thread stays interrupted.
   *
   * @throws RuntimeException the stage's failure
   */
  public static @Nullable Object await(
      CompletionStage<?> stage, long deadlineNanos, TimeSource time) {
    CompletableFuture<?> future = future(stage);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          if (future.isDone() || time.await(future, deadlineNanos)) {
            return future.get();
          }
          future.cancel(true);
          throw late(future);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw failure(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The failure of a call whose answer did not come in time. */
  public static RuntimeException late() {
    return new CompletionException(LATE, new TimeoutException(LATE));
  }

  /** That reason, unless it is known by now that the call was never sent or that another counts. */
  public static RuntimeException late(CompletableFuture<?> future) {
    Throwable reported = future.handle((answer, failure) -> failure).getNow(null);
    boolean known = reported instanceof NotSentException || reported instanceof SharedTripException;
    return known ? (RuntimeException) reported : late();
  }

  /**
   * A failure without the exceptions in which stages wrap it; anything but a RuntimeException is
   * wrapped in one.
   */
  public static RuntimeException failure(Throwable thrown) {
    Throwable cause = TransportFailure.unwrapped(thrown);
    return cause instanceof RuntimeException known ? known : new CompletionException(cause);
  }

  /** The stage as a future; a stage without one is followed by a future, which cannot cancel it. */
  public static CompletableFuture<?> future(CompletionStage<?> stage) {
    try {
      return stage.toCompletableFuture();
    } catch (UnsupportedOperationException e) {
      return following(stage);
    }
  }

  private static <T> CompletableFuture<T> following(CompletionStage<T> stage) {
    CompletableFuture<@Nullable T> future = new CompletableFuture<>();
    stage.whenComplete((answer, failure) -> end(future, answer, failure));
    return future;
  }

  /** Completes a future by the outcome of a stage. */
  public static <T> void end(
      CompletableFuture<T> future, @Nullable T answer, @Nullable Throwable thrown) {
    if (thrown == null) {
      future.complete(answer);
    } else {
      future.completeExceptionally(thrown);
    }
  }
}
