package io.github.penstock.core.spi;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one node for the check whether it answers (rule F2 of {@code docs/protocol.md}):
 * one outside the client's pool and queue, or, if the client cannot make that, one that carries
 * calls, too. One thread writes and reads at a time; {@link #close} may come from another one, and
 * then ends a read.
 */
public interface CheckConnection {
  /** The time of an answer that this connection does not know; core has its own. */
  long UNKNOWN = Long.MIN_VALUE;

  /**
   * Writes a call.
   *
   * @throws RuntimeException the client's own exception
   */
  void write(ScriptCall call);

  /**
   * Reads the answer, for as long as that takes.
   *
   * @throws RuntimeException the client's own exception, also for an error that the server answers
   */
  @Nullable Object read();

  /** Returns whether the connection carries calls, too. */
  default boolean carriesCalls() {
    return false;
  }

  /**
   * Returns when an answer to a call was last read on a connection that carries calls, by {@link
   * System#nanoTime()}: a check that waits behind calls that are answered is not silent. {@link
   * #UNKNOWN} if the connection does not know.
   */
  default long heardNanos() {
    return UNKNOWN;
  }

  /**
   * Runs a task once the data that had arrived by now has been read. Returns false, and never runs
   * it, if the client cannot tell: then core waits for a moment.
   */
  default boolean afterReading(Runnable task) {
    return false;
  }

  /**
   * {@link #afterReading} on an event loop: a task, and a second one in the loop's next round;
   * between the two it reads.
   *
   * @param loop null if it is not known
   */
  static boolean afterReading(@Nullable ScheduledExecutorService loop, Runnable task) {
    if (loop == null) {
      return false;
    }
    try {
      loop.execute(() -> loop.schedule(task, 1, TimeUnit.NANOSECONDS));
      return true;
    } catch (RejectedExecutionException shutDown) {
      return false;
    }
  }

  /** Closes the connection, or abandons the check on one that carries calls, without waiting. */
  void close();
}
