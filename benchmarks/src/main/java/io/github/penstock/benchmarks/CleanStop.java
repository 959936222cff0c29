package io.github.penstock.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end in order when the process is told to stop (Ctrl-C): it interrupts the thread
 * that made it, and holds the process until that thread has closed what it opened, 10 s at most.
 */
final class CleanStop implements AutoCloseable {
  private static final long LONGEST_SECONDS = 10;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread worker = Thread.currentThread();
  private final Thread hook = new Thread(this::stop, "clean-stop");

  CleanStop() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Throws if the current thread is to stop; called between two calls to the server. */
  static void check() {
    if (Thread.interrupted()) {
      throw new Complaint("stopped.");
    }
  }

  private void stop() {
    worker.interrupt();
    try {
      if (!closed.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("penstock: gave up waiting for the command to clean up.");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException stopping) {
      // The process is ending, which is what the hook is for.
    }
  }
}
