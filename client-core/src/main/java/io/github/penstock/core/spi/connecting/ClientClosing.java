package io.github.penstock.core.spi.connecting;

import io.github.penstock.core.internal.waiting.DaemonThreads;
import io.github.penstock.core.spi.time.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Closes a client without relying on its shutdown to return: those of Lettuce and Redisson wait
 * without limit for each connection and thread, and are known to wait forever.
 */
public final class ClientClosing {
  private static final Logger LOG = System.getLogger("io.github.penstock");

  private ClientClosing() {}

  /**
   * Closes on a separate thread and waits for it. If that takes longer, it continues in the
   * background and a warning is logged. An interrupt does not end the wait; the thread stays
   * interrupted.
   *
   * @param most how long the caller waits
   * @throws RuntimeException an exception of {@code close} within that time
   */
  public static void await(Runnable close, Duration most) {
    await(
        CompletableFuture.runAsync(close, task -> DaemonThreads.start(task, "penstock-close")),
        most);
  }

  /**
   * The variant for a client that closes on its own threads.
   *
   * @throws RuntimeException the failure of {@code closing}
   */
  public static void await(Future<?> closing, Duration most) {
    if (!endsWithin(most, closing)) {
      LOG.log(
          Level.WARNING,
          "A client is not closed after {0} s; closing goes on in the background.",
          most.toSeconds());
    }
  }

  /**
   * Waits without the timer of {@link CompletableFuture}: its one thread runs callbacks, and may be
   * the one that waits here.
   *
   * @return false if it takes longer
   * @throws RuntimeException the failure of {@code closing}
   */
  public static boolean endsWithin(Duration most, Future<?> closing) {
    long endNanos = TimeSource.SYSTEM.nanos() + most.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          closing.get(endNanos - TimeSource.SYSTEM.nanos(), TimeUnit.NANOSECONDS);
          return true;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw cause instanceof RuntimeException known ? known : new CompletionException(cause);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
