package io.github.penstock.testkit.fault;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ServerSocketFactory;

/** Listens on a port that another socket may have listened on a moment ago. */
final class ListeningSocket {
  private static final int ATTEMPTS = 200;

  private ListeningSocket() {}

  /* The previous listener has closed its socket, but the port may not be free yet. */
  static ServerSocket open(ServerSocketFactory sockets, int port, int backlog) throws IOException {
    for (int attempt = 1; ; attempt++) {
      ServerSocket socket = sockets.createServerSocket();
      try {
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), backlog);
        return socket;
      } catch (BindException inUse) {
        socket.close();
        if (attempt == ATTEMPTS) {
          throw inUse;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }
  }
}
