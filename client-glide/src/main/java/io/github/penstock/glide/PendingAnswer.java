package io.github.penstock.glide;

import io.github.penstock.core.spi.BusyNodeException;
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
    BusyNodeException busy = isDone() ? null : count.late();
    return busy == null ? super.cancel(mayInterrupt) : completeExceptionally(busy);
  }
}
