package io.github.penstock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.io.IOUtils;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Unused ports of this machine. They lie below the ports that systems use for outgoing connections,
 * and each process has {@value #OF_A_PROCESS} separate ones, which it assigns in turn: a server
 * that stops listening for a while finds its port free again, and its clients never reach another
 * server meanwhile.
 */
public final class FreePorts {
  private static final int LOWEST = 12_000;

  /** A cluster node also listens on its port + 10000; those between are packages/testbed.py's. */
  private static final int HIGHEST = 17_999;

  private static final int OF_A_PROCESS = 500;
  private static final Duration MOST_WAITED = Duration.ofMinutes(10);
  private static final int PROCESSES = (HIGHEST + 1 - LOWEST) / OF_A_PROCESS;

  /** Listens on the lowest port of those that belong to this process, for as long as it lives. */
  private static final ServerSocket CLAIM = claim();

  private static final AtomicInteger GIVEN = new AtomicInteger();

  private FreePorts() {}

  /**
   * A port that was free a moment ago.
   *
   * @throws IllegalStateException if none was found
   */
  public static int next() {
    for (int attempt = 1; attempt < OF_A_PROCESS; attempt++) {
      int port = CLAIM.getLocalPort() + 1 + GIVEN.getAndIncrement() % (OF_A_PROCESS - 1);
      ServerSocket socket = listening(port);
      if (socket != null) {
        IOUtils.closeQuietly(socket);
        return port;
      }
    }
    throw new IllegalStateException("no free port was found");
  }

  /* Several builds on one machine have more processes than there are ports for: one waits. */
  private static ServerSocket claim() {
    return Awaitility.await("free ports from %d to %d".formatted(LOWEST, HIGHEST))
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofSeconds(1))
        .atMost(MOST_WAITED)
        .until(FreePorts::claimed, Objects::nonNull);
  }

  /* Null if none are left. */
  private static @Nullable ServerSocket claimed() {
    int first = ThreadLocalRandom.current().nextInt(PROCESSES);
    for (int i = 0; i < PROCESSES; i++) {
      ServerSocket socket = listening(LOWEST + (first + i) % PROCESSES * OF_A_PROCESS);
      if (socket != null) {
        return socket;
      }
    }
    return null;
  }

  /* Null if somebody listens there. */
  private static @Nullable ServerSocket listening(int port) {
    try {
      ServerSocket socket = new ServerSocket();
      try {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
        return socket;
      } catch (BindException taken) {
        socket.close();
        return null;
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
