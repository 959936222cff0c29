package io.github.penstock.compat.outage;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.testkit.topology.ServerEvents;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import org.jspecify.annotations.Nullable;

/** Asynchronous calls at an even pace, of which only counts and the slowest are kept. */
final class PacedFlood {
  private static final int BATCHES = 100;
  private static final int BATCHES_PER_LOOK = 10;

  private final AsyncRateLimiter limiter;
  private final LongAccumulator slowestNanos = new LongAccumulator(Math::max, 0);
  private final AtomicLong ended = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private long mostHeap;

  PacedFlood(AsyncRateLimiter limiter) {
    this.limiter = limiter;
  }

  /** Makes this number of calls in this time, and measures the heap ten times. */
  void make(int calls, Duration length) throws InterruptedException {
    long begun = System.nanoTime();
    for (int batch = 0; batch < BATCHES; batch++) {
      for (int i = 0; i < calls / BATCHES; i++) {
        long start = System.nanoTime();
        limiter
            .tryAcquire(batch + "-" + i)
            .whenComplete((decision, failure) -> ended(start, decision, failure));
      }
      if (batch % BATCHES_PER_LOOK == BATCHES_PER_LOOK - 1) {
        mostHeap = Math.max(mostHeap, usedHeap());
      }
      long next = begun + length.toNanos() / BATCHES * (batch + 1);
      TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
    }
  }

  private void ended(long start, @Nullable Decision decision, @Nullable Throwable failure) {
    slowestNanos.accumulate(System.nanoTime() - start);
    if (failure != null) {
      Throwable told = TransportFailure.unwrapped(failure);
      failed.incrementAndGet();
      unknown.addAndGet(told instanceof MayHaveBeenChargedException ? 1 : 0);
    }
    ended.incrementAndGet();
  }

  void awaitEnd(int calls) {
    ServerEvents.await("the last call").until(() -> ended.get() == calls);
  }

  /** Bytes in use after garbage collection. */
  static long usedHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  long mostHeap() {
    return mostHeap;
  }

  long slowestNanos() {
    return slowestNanos.get();
  }

  long failed() {
    return failed.get();
  }

  long unknown() {
    return unknown.get();
  }
}
