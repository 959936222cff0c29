package io.github.penstock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of this machine that nobody listens on. */
final class FreePorts {
  /** A cluster node also listens on its port + 10000. */
  private static final int HIGHEST = 55_535;

  private FreePorts() {}

  static int next() {
    for (int attempt = 0; attempt < 1000; attempt++) {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        if (socket.getLocalPort() <= HIGHEST) {
          return socket.getLocalPort();
        }
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
    throw new IllegalStateException("no free port up to " + HIGHEST + " was found");
  }
}
