package io.github.penstock.testkit.fault;

import io.github.penstock.testkit.resp.RedisUrl;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLSocket;
import org.apache.commons.io.IOUtils;

/** Speaks TLS before a server that does not. Safe for use by several threads. */
public final class TlsProxy implements Closeable {
  private static final int BACKLOG = 50;

  private final RedisUrl server;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean demanding;

  private TlsProxy(RedisUrl server, ServerSocket listener) {
    this.server = server;
    this.listener = listener;
  }

  /** A proxy before a server, on a free port of this machine, with this certificate. */
  public static TlsProxy before(RedisUrl server, LocalCertificate certificate) {
    try {
      ServerSocket listener =
          certificate
              .context()
              .getServerSocketFactory()
              .createServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
      TlsProxy proxy = new TlsProxy(server, listener);
      start("penstock-tls", proxy::accept);
      return proxy;
    } catch (IOException failure) {
      throw new UncheckedIOException("no proxy before " + server, failure);
    }
  }

  /** Where clients find it, by the name in its certificate. */
  public RedisUrl url() {
    return new RedisUrl(
        "localhost", listener.getLocalPort(), server.user(), server.password(), server.database());
  }

  /** Cuts all connections, and from now on refuses clients without a certificate. */
  public void demandCertificates() {
    demanding = true;
    sockets.forEach(IOUtils::closeQuietly);
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        start("penstock-tls-link", () -> link(client));
      }
    } catch (IOException closed) {
      IOUtils.closeQuietly(listener);
    }
  }

  private void link(Socket client) {
    try (client;
        Socket upstream = new Socket(server.host(), server.port())) {
      sockets.add(client);
      ((SSLSocket) client).setNeedClientAuth(demanding);
      start("penstock-tls-back", () -> copy(upstream, client));
      copy(client, upstream);
      sockets.remove(client);
    } catch (IOException ended) {
      sockets.remove(client);
    }
  }

  /* Either end of a link ends the other; so does a client that speaks no TLS. */
  private static void copy(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException ended) {
      IOUtils.closeQuietly(from);
      IOUtils.closeQuietly(to);
    }
  }

  @Override
  public void close() {
    IOUtils.closeQuietly(listener);
    sockets.forEach(IOUtils::closeQuietly);
  }
}
