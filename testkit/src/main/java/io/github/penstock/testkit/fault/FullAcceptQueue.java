package io.github.penstock.testkit.fault;

import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A port on which connecting does not end: its queue is full, and nobody accepts. */
final class FullAcceptQueue implements Closeable {
  private static final int FILLING = 8;
  private static final int ATTEMPTS = 200;

  private final ServerSocket listener = new ServerSocket();
  private final List<SocketChannel> waiting = new ArrayList<>();

  FullAcceptQueue(int port) throws IOException {
    listener.setReuseAddress(true);
    bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    for (int i = 0; i < FILLING; i++) {
      SocketChannel channel = SocketChannel.open();
      waiting.add(channel);
      channel.configureBlocking(false);
      channel.connect(listener.getLocalSocketAddress());
    }
  }

  /* Who listened before has closed its socket, but may still be about to leave it. */
  private void bind(InetSocketAddress address) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        listener.bind(address, 1);
        return;
      } catch (BindException inUse) {
        if (attempt == ATTEMPTS) {
          throw inUse;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }
  }

  @Override
  public void close() {
    waiting.forEach(FaultProxy::close);
    FaultProxy.close(listener);
  }
}
