package io.github.penstock.compat.load;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Waits for asynchronous calls, and fails as blocking ones would. */
public final class AsyncResults {
  private static final int MOST_SECONDS = 600;

  private AsyncResults() {}

  /** The value, or the failure as a blocking call would have thrown it. */
  public static <T> T value(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().orTimeout(MOST_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof RuntimeException known ? known : failure;
    }
  }
}
