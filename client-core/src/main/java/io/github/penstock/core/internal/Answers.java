package io.github.penstock.core.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What the stages of a port end with. */
public final class Answers {
  /** Why a call has failed whose answer did not come in time, or which nobody could send. */
  public static final String LATE = "no answer within the deadline";

  private Answers() {}

  /** A failure without what stages wrap it in; what is no RuntimeException is wrapped in one. */
  public static RuntimeException failure(Throwable thrown) {
    Throwable cause = unwrapped(thrown);
    return cause instanceof RuntimeException known ? known : new CompletionException(cause);
  }

  /** What {@link CompletionException}s were thrown for. */
  static Throwable unwrapped(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /**
   * The stage as a future; one that cannot be had as a future is followed by one, which cannot
   * cancel it.
   */
  public static CompletableFuture<?> future(CompletionStage<?> stage) {
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
