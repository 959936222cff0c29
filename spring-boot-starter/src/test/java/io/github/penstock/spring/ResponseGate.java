package io.github.penstock.spring;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Holds responses back until a test opens it. */
public final class ResponseGate {
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile CountDownLatch open = new CountDownLatch(0);

  void close() {
    waiting.set(0);
    open = new CountDownLatch(1);
  }

  void open() {
    open.countDown();
  }

  int waiting() {
    return waiting.get();
  }

  void pass() {
    waiting.incrementAndGet();
    try {
      if (!open.await(10, TimeUnit.MINUTES)) {
        throw new IllegalStateException("the gate was never opened");
      }
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
