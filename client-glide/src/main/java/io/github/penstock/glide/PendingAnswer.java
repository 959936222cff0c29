package io.github.penstock.glide;

import io.github.penstock.core.spi.BusyNodeException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One call in GLIDE's hands, which cannot be taken back: whoever gives it up only waits no longer.
 * Safe for use by several threads.
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
