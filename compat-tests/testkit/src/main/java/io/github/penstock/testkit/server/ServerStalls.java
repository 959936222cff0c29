package io.github.penstock.testkit.server;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Stops each server process for {@code -Dpenstock.stalls=MILLISECONDS} at random moments, a few
 * times a second, as a busy machine would: no test may fail because of it.
 */
final class ServerStalls {
  private static final long STALL_MS = Long.getLong("penstock.stalls", 0);
  private static final int LONGEST_PAUSE_MS = 500;

  private ServerStalls() {}

  /** Begins with a process, until it is closed; does nothing unless asked for. */
  static void begin(ServerProcess server) {
    if (STALL_MS > 0) {
      Thread thread = new Thread(() -> stall(server), "penstock-stalls-" + server.url().port());
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static void stall(ServerProcess server) {
    Random random = new Random();
    do {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(LONGEST_PAUSE_MS)));
    } while (server.stall(TimeUnit.MILLISECONDS.toNanos(STALL_MS)));
  }
}
