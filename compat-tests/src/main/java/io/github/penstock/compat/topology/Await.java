package io.github.penstock.compat.topology;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for something that no server announces. */
public final class Await {
  private static final long PAUSE_MS = 20;

  private Await() {}

  /** Asks until the answer is yes; an IllegalStateException names what did not happen in time. */
  public static void until(String what, Duration most, BooleanSupplier happened) {
    long end = System.nanoTime() + most.toNanos();
    while (!happened.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(what + " did not happen within " + most);
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting", interrupted);
    }
  }
}
