package io.github.penstock.benchmarks.server;

import io.github.penstock.testkit.resp.RedisUrl;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.io.IOUtils;

/**
 * A network before a server: passes bytes on in order, each half of a round trip after it arrived.
 * Four threads for each connection. Safe for use by several threads.
 */
public final class DelayRelay implements Closeable {
  /** How much later than asked Linux ends a wait; a relay asks for that much less. */
  static final long SLACK_MICROS = 60;

  private static final int CHUNK = 1 << 16;
  private static final int BACKLOG = 512;
  private final RedisUrl server;
  private final long waitNanos;
  private volatile boolean delaying = true;
  private final ServerSocket listener;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

  private record Chunk(byte[] bytes, long dueNanos) {}

  /** A relay on a free port of this machine, which adds this to a round trip. */
  public DelayRelay(RedisUrl server, long addedMicros) {
    this.server = server;
    waitNanos = TimeUnit.MICROSECONDS.toNanos(addedMicros / 2 - SLACK_MICROS);
    try {
      listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    run(this::accept);
  }

  /** Its address, with the server's user, password and database. */
  public RedisUrl url() {
    return new RedisUrl(
        "127.0.0.1", listener.getLocalPort(), server.user(), server.password(), server.database());
  }

  /** Whether it delays what arrives from now on. */
  public void delay(boolean delays) {
    delaying = delays;
  }

  /** Relays to a server, by its URL and what is added in microseconds, and prints its own port. */
  public static void main(String[] args) throws InterruptedException {
    DelayRelay relay = new DelayRelay(RedisUrl.parse(args[0]), Long.parseLong(args[1]));
    System.out.println(relay.listener.getLocalPort());
    Thread.currentThread().join();
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  /** A thread that ends with its connection. */
  private void run(Work work, Closeable... ends) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException | InterruptedException closed) {
                IOUtils.closeQuietly(ends);
              }
            },
            "penstock-relay");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = added(listener.accept());
      Socket behind = added(new Socket(server.host(), server.port()));
      pass(client, behind);
      pass(behind, client);
    }
  }

  private Socket added(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    sockets.add(socket);
    return socket;
  }

  private void pass(Socket from, Socket to) throws IOException {
    InputStream in = from.getInputStream();
    OutputStream out = to.getOutputStream();
    BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>();
    run(
        () -> {
          byte[] buffer = new byte[CHUNK];
          int read;
          do {
            read = in.read(buffer);
            byte[] bytes = Arrays.copyOf(buffer, Math.max(0, read));
            long wait = delaying ? waitNanos : 0;
            underWay.add(new Chunk(bytes, System.nanoTime() + wait));
          } while (read >= 0);
        },
        from,
        to);
    run(
        () -> {
          for (Chunk next = underWay.take(); next.bytes().length > 0; next = underWay.take()) {
            long left;
            while ((left = next.dueNanos() - System.nanoTime()) > 0) {
              LockSupport.parkNanos(left);
            }
            out.write(next.bytes());
          }
          to.shutdownOutput();
        },
        from,
        to);
  }

  /** Cuts every connection and listens no more. */
  @Override
  public void close() {
    IOUtils.closeQuietly(listener);
    sockets.forEach(IOUtils::closeQuietly);
  }
}
