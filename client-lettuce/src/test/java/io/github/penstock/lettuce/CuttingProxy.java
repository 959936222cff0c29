package io.github.penstock.lettuce;

import io.github.penstock.compat.resp.RedisUrl;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes everything between clients and a server, and cuts the connection instead of passing on the
 * reply to a script call, as often as it is told.
 */
final class CuttingProxy implements AutoCloseable {
  private final RedisUrl server;
  private final ServerSocket listener;
  private final AtomicInteger cuts = new AtomicInteger();

  CuttingProxy(RedisUrl server) throws IOException {
    this.server = server;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  String uri() {
    return "redis://127.0.0.1:" + listener.getLocalPort();
  }

  /** Cuts the connections of the next calls, and of every time they come again. */
  void cut(int times) {
    cuts.set(times);
  }

  int cutsLeft() {
    return cuts.get();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  private void accept() throws IOException {
    while (!listener.isClosed()) {
      Socket client = listener.accept();
      Socket upstream = new Socket(server.host(), server.port());
      AtomicBoolean cut = new AtomicBoolean();
      daemon(() -> pump(client, upstream, cut, true));
      daemon(() -> pump(upstream, client, cut, false));
    }
  }

  private void pump(Socket from, Socket to, AtomicBoolean cut, boolean requests)
      throws IOException {
    byte[] buffer = new byte[1 << 16];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        if (requests && isCall(buffer, read) && takeCut()) {
          cut.set(true);
        }
        if (!requests && cut.get()) {
          return;
        }
        out.write(buffer, 0, read);
      }
    }
  }

  private static boolean isCall(byte[] buffer, int length) {
    return new String(buffer, 0, length, StandardCharsets.ISO_8859_1).contains("\r\nEVALSHA\r\n");
  }

  private boolean takeCut() {
    return cuts.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  private static void daemon(Pump pump) {
    Thread thread = new Thread(() -> pump.run(), "cutting-proxy");
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((ended, failure) -> {});
    thread.start();
  }

  private interface Pump extends Runnable {
    void pump() throws IOException;

    @Override
    default void run() {
      try {
        pump();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
