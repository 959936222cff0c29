package io.github.penstock.glide;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The answers of one client, and whether the server has been silent for too long. Safe for use by
 * several threads.
 */
final class AnswerCount {
  private static final Duration LEAST_SILENCE = Duration.ofMillis(500);
  private final AtomicInteger underWay = new AtomicInteger();
  private final long silenceNanos;
  private final Runnable silent;
  private volatile long heardNanos;
  private volatile boolean owed;

  /**
   * Nothing under way.
   *
   * @param deadline of the calls
   * @param silent called when a call is late and nothing was answered for a deadline
   */
  AnswerCount(Duration deadline, Runnable silent) {
    silenceNanos = Math.max(deadline.toNanos(), LEAST_SILENCE.toNanos());
    this.silent = silent;
  }

  /** Notes that calls are about to be sent. */
  void begin(int calls) {
    if (!owed) {
      heardNanos = System.nanoTime();
      owed = true;
    }
    underWay.addAndGet(calls);
  }

  /** A call ended, before its caller knows. */
  void end(boolean answered) {
    if (answered) {
      heardNanos = System.nanoTime();
    }
    if (underWay.decrementAndGet() == 0 && answered) {
      owed = false;
    }
  }

  /** Returns when a call was last answered, or the first of those under way began. */
  long heardNanos() {
    return heardNanos;
  }

  /** Notes that a call is late. */
  void late() {
    if (owed && System.nanoTime() - heardNanos >= silenceNanos) {
      silent.run();
    }
  }
}
