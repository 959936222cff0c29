package io.github.penstock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of this machine that nobody listens on. They lie below those that systems give to outgoing
 * connections, so that whoever stops listening for a while finds its port free again.
 */
public final class FreePorts {
  private static final int LOWEST = 12_000;

  /** A cluster node also listens on its port + 10000. */
  private static final int HIGHEST = 21_999;

  private static final int ATTEMPTS = 1_000;

  private FreePorts() {}

  /**
   * A port that was free a moment ago.
   *
   * @throws IllegalStateException if none was found
   */
  public static int next() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free port from %d to %d was found".formatted(LOWEST, HIGHEST));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
      return true;
    } catch (BindException taken) {
      return false;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
