package io.github.penstock.compat.suite;

import java.util.concurrent.TimeUnit;

/**
 * Watches how long this machine keeps a thread waiting that only slept: what no client can be
 * blamed for. Ends when it is closed.
 */
final class Stalls implements AutoCloseable {
  private static final long SLEEP_MS = 5;

  private final Thread thread = new Thread(this::watch, "penstock-stalls");
  private volatile long longestNanos;

  static Stalls watching() {
    Stalls stalls = new Stalls();
    stalls.thread.setDaemon(true);
    stalls.thread.start();
    return stalls;
  }

  private void watch() {
    try {
      while (true) {
        long start = System.nanoTime();
        Thread.sleep(SLEEP_MS);
        long late = System.nanoTime() - start - TimeUnit.MILLISECONDS.toNanos(SLEEP_MS);
        longestNanos = Math.max(longestNanos, late);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  long longestNanos() {
    return longestNanos;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
