package io.github.penstock.core.spi.connecting;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A thread that reads, as an event loop does, and that can be kept from it. */
final class StalledLoop implements AutoCloseable {
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private CountDownLatch released = new CountDownLatch(0);

  ScheduledExecutorService executor() {
    return executor;
  }

  /** Lets nothing go on after this. */
  void stall() throws InterruptedException {
    CountDownLatch stalled = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    released = goesOn;
    executor.execute(
        () -> {
          stalled.countDown();
          try {
            goesOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    stalled.await();
  }

  /** Lets it go on, and waits until all that is due now is done. */
  void release() throws Exception {
    released.countDown();
    executor.submit(() -> {}).get();
    executor.submit(() -> {}).get();
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
