package io.github.penstock.core.internal.near;

import io.github.penstock.core.spi.time.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
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

  private final TimeSource time;

  LeaseQueue(TimeSource time) {
    this.time = time;
  }

  /**
   * Waits to be woken until a time, unless {@code ended} returns that nothing remains to wait for;
   * false if that was too soon.
   *
   * @param again whether this thread waits again, and so is the first to be woken
   */
  boolean await(BooleanSupplier ended, long untilNanos, boolean again) throws InterruptedException {
    CompletableFuture<@Nullable Void> turn = new CompletableFuture<>();
    if (again) {
      line.addFirst(turn);
    } else {
      line.addLast(turn);
    }
    try {
      return ended.getAsBoolean() || time.await(turn, untilNanos);
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
