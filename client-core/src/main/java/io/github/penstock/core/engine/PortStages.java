package io.github.penstock.core.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads the stages of a port, and the failures that they end with. */
final class PortStages {
  /** The reason of a call whose answer did not come in time, or which nobody could send. */
  private static final String LATE = "no answer within the deadline";

  private PortStages() {}

  /** The failure of a call whose answer did not come in time. */
  static RuntimeException late() {
    return new CompletionException(LATE, new TimeoutException(LATE));
  }

  /** A failure without what stages wrap it in; what is no RuntimeException is wrapped in one. */
  static RuntimeException failure(Throwable thrown) {
    Throwable cause = unwrapped(thrown);
    return cause instanceof RuntimeException known ? known : new CompletionException(cause);
  }

  /** The failure itself, without the exceptions in which futures and stages wrap it. */
  static Throwable unwrapped(Throwable thrown) {
    Throwable cause = thrown;
    while (wrapper(cause) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static boolean wrapper(Throwable thrown) {
    return thrown instanceof CompletionException || thrown instanceof ExecutionException;
  }

  /**
   * The stage as a future; one that cannot be had as a future is followed by one, which cannot
   * cancel it.
   */
  static CompletableFuture<?> future(CompletionStage<?> stage) {
    try {
      return stage.toCompletableFuture();
    } catch (UnsupportedOperationException e) {
      return following(stage);
    }
  }

  private static <T> CompletableFuture<T> following(CompletionStage<T> stage) {
    CompletableFuture<@Nullable T> future = new CompletableFuture<>();
    stage.whenComplete(
        (answer, failure) -> {
          if (failure == null) {
            future.complete(answer);
          } else {
            future.completeExceptionally(failure);
          }
        });
    return future;
  }
}
