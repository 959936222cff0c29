package io.github.penstock.core.near;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait while another one takes a lease. Safe for use by several threads.
 *
 * <p>When a lease has been taken, one of them is woken, and each thread that stops waiting wakes
 * the next. If all were woken at once, most would find nothing: a running thread takes a hundred
 * units in the time in which another one wakes up.
 */
final class LeaseQueue {
  private final ConcurrentLinkedDeque<CompletableFuture<@Nullable Void>> line =
      new ConcurrentLinkedDeque<>();

  /**
   * Waits to be woken, but not if {@code ended} says that there is nothing to wait for any more;
   * false if the time was too short.
   *
   * @param again whether this thread waits again, and so is the first to be woken
   */
  boolean await(BooleanSupplier ended, long nanos, boolean again) throws InterruptedException {
    CompletableFuture<@Nullable Void> turn = new CompletableFuture<>();
    if (again) {
      line.addFirst(turn);
    } else {
      line.addLast(turn);
    }
    try {
      if (!ended.getAsBoolean()) {
        turn.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
      }
      return true;
    } catch (TimeoutException | ExecutionException late) {
      return false;
    } finally {
      if (!turn.isDone()) {
        line.remove(turn);
      }
    }
  }

  /** Wakes the first. */
  void wakeNext() {
    CompletableFuture<@Nullable Void> first = line.poll();
    if (first != null) {
      first.complete(null);
    }
  }
}
