package io.github.penstock.compat.load;

import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The machine's speed before a test.
 *
 * @param callsPerSecond calls of a plain connection, one after another
 * @param wakesWithinMillis how late a sleeping thread was woken at most
 */
record MachineSpeed(long callsPerSecond, long wakesWithinMillis) {
  private static final long CALLING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int SLEEPS = 50;
  private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Measures for a quarter of a second. */
  static MachineSpeed measured() {
    return new MachineSpeed(calls(), wakes());
  }

  boolean isEnough(LoadTest needed) {
    return callsPerSecond >= needed.callsPerSecond()
        && wakesWithinMillis <= needed.wakesWithinMillis();
  }

  private static long calls() {
    try (RespConnection connection = SharedDeployments.single().server().connect()) {
      long begun = System.nanoTime();
      long calls = 0;
      long passed;
      do {
        connection.call("PING");
        calls++;
        passed = System.nanoTime() - begun;
      } while (passed < CALLING_NANOS);
      return calls * TimeUnit.SECONDS.toNanos(1) / passed;
    }
  }

  private static long wakes() {
    long latest = 0;
    for (int i = 0; i < SLEEPS; i++) {
      long begun = System.nanoTime();
      LockSupport.parkNanos(SLEEP_NANOS);
      latest = Math.max(latest, System.nanoTime() - begun - SLEEP_NANOS);
    }
    return TimeUnit.NANOSECONDS.toMillis(latest);
  }
}
