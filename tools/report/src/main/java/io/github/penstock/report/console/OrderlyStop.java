package io.github.penstock.report.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end in order when the process must stop (Ctrl-C): the command calls {@link #check}
 * between two calls to the server, and the process is held until it has closed its resources, 10 s
 * at most.
 */
public final class OrderlyStop {
  private static final long LONGEST_SECONDS = 10;
  private static volatile boolean stopping;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "clean-stop");

  private OrderlyStop() {}

  public static void around(Runnable work) {
    OrderlyStop stop = new OrderlyStop();
    Runtime.getRuntime().addShutdownHook(stop.hook);
    try {
      work.run();
    } finally {
      stop.end();
    }
  }

  /** Throws if the process is to stop. */
  public static void check() {
    if (stopping) {
      throw new UserErrorException("stopped.");
    }
  }

  private void stop() {
    stopping = true;
    try {
      if (!closed.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("penstock: gave up waiting for the command to clean up.");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void end() {
    closed.countDown();
    if (!stopping) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException justNow) {
        return;
      }
    }
  }
}
