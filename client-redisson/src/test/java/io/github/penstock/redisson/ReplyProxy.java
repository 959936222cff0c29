package io.github.penstock.redisson;

import io.github.penstock.compat.server.TestServer;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Passes everything on to a server, and of its replies as much as a test wants. */
final class ReplyProxy implements Closeable {
  /** What becomes of replies. */
  enum Replies {
    PASS,
    /** Come 800 ms late. */
    LATE,
    /**
     * Never come, and nothing after them on that connection, which ends once replies pass again.
     */
    LOST,
    /** The connection of the next one ends instead; all others pass. */
    CUT
  }

  private final int server;
  private final ServerSocket listener;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile Replies replies = Replies.PASS;

  ReplyProxy(TestServer server) throws IOException {
    this.server = server.url().port();
    listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  String address() {
    return "redis://127.0.0.1:" + listener.getLocalPort();
  }

  void set(Replies replies) {
    this.replies = replies;
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    listener.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server);
        threads.execute(() -> pump(client, upstream, false));
        threads.execute(() -> pump(upstream, client, true));
      }
    } catch (IOException closed) {
      threads.shutdownNow();
    }
  }

  private void pump(Socket from, Socket to, boolean reply) {
    byte[] buffer = new byte[1 << 16];
    boolean lost = false;
    try (from;
        to) {
      InputStream in = from.getInputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        Replies fate = reply ? replies : Replies.PASS;
        lost |= fate == Replies.LOST;
        if (fate == Replies.CUT || lost && fate == Replies.PASS) {
          replies = Replies.PASS;
          return;
        }
        if (fate == Replies.LATE) {
          Thread.sleep(800);
        }
        if (!lost) {
          to.getOutputStream().write(buffer, 0, read);
        }
      }
    } catch (IOException | InterruptedException ended) {
      return;
    }
  }
}
