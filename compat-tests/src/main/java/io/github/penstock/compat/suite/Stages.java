package io.github.penstock.compat.suite;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Waits for asynchronous calls as a blocking one would be waited for. */
final class Stages {
  private static final int MOST_SECONDS = 30;

  private Stages() {}

  /** The value, or the failure as a blocking call would have thrown it. */
  static <T> T value(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().orTimeout(MOST_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof RuntimeException known ? known : failure;
    }
  }
}
