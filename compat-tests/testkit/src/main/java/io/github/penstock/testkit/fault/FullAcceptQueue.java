package io.github.penstock.testkit.fault;

import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import javax.net.ServerSocketFactory;
import org.apache.commons.io.IOUtils;

/** A port on which connecting does not end: its queue is full, and no process accepts. */
final class FullAcceptQueue implements Closeable {
  private static final int FILLING = 8;

  private final ServerSocket listener;
  private final List<SocketChannel> waiting = new ArrayList<>();

  FullAcceptQueue(int port) throws IOException {
    listener = ListeningSocket.open(ServerSocketFactory.getDefault(), port, 1);
    for (int i = 0; i < FILLING; i++) {
      SocketChannel channel = SocketChannel.open();
      waiting.add(channel);
      channel.configureBlocking(false);
      channel.connect(listener.getLocalSocketAddress());
    }
  }

  @Override
  public void close() {
    waiting.forEach(IOUtils::closeQuietly);
    IOUtils.closeQuietly(listener);
  }
}
