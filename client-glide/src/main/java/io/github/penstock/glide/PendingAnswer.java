package io.github.penstock.glide;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One call that GLIDE has, which cannot be withdrawn: a caller that abandons it merely stops
 * waiting. Safe for use by several threads.
 */
final class PendingAnswer extends CompletableFuture<@Nullable Object> {
  private final AnswerCount count;

  PendingAnswer(AnswerCount count) {
    this.count = count;
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    if (!isDone()) {
      count.late();
    }
    return super.cancel(mayInterrupt);
  }
}
