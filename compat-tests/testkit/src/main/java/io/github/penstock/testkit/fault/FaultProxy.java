package io.github.penstock.testkit.fault;

import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.FreePorts;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLSocket;
import org.apache.commons.io.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Stands between clients, with TLS or without, and a server, passes RESP on, and injects the fault
 * that it is set to, from one moment to the next.
 *
 * <p>A fault that is about replies hits those of script calls only, so that a client's own PING or
 * HELLO neither counts nor fails. At most {@value #MOST_LINKS} connections, two threads each. Safe
 * for use by several threads.
 */
public final class FaultProxy implements Closeable {
  /** The most connections at one time; one more is closed at once. */
  public static final int MOST_LINKS = 512;

  private static final int CONNECT_TIMEOUT_MS = 30_000;

  private volatile RedisUrl server;
  private final String host;
  private final int port;
  private final ServerSocketFactory sockets;
  private final Set<ProxyLink> links = ConcurrentHashMap.newKeySet();
  private final Set<ProxyLink> checks = ConcurrentHashMap.newKeySet();
  private final AtomicLong faulted = new AtomicLong();
  private final AtomicLong connections = new AtomicLong();
  private final AtomicInteger countdown = new AtomicInteger();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "penstock-fault-proxy");
            thread.setDaemon(true);
            return thread;
          });
  private volatile NetworkFault fault = NetworkFault.NONE;
  private volatile boolean onlyOne;
  private volatile boolean sparesChecks;
  private volatile byte[] answer = {};
  private volatile Duration delay = Duration.ZERO;
  private volatile boolean demanding;
  private @Nullable TripFault tripFault;
  private @Nullable ProxyLink tripLink;
  private int untilTripFault;
  private int tripCalls;
  private volatile boolean closed;
  private ServerSocket listener;
  private Closeable hanging = () -> {};

  private FaultProxy(RedisUrl server, String host, ServerSocketFactory sockets) throws IOException {
    this.server = server;
    this.host = host;
    this.sockets = sockets;
    port = FreePorts.next();
    listener = ListeningSocket.open(sockets, port, MOST_LINKS);
    accept(listener);
  }

  /** A proxy before a server, on a free port of this machine. */
  public static FaultProxy before(RedisUrl server) {
    return before(server, "127.0.0.1", ServerSocketFactory.getDefault());
  }

  /** The variant for clients that speak TLS, with this certificate. */
  public static FaultProxy before(RedisUrl server, LocalCertificate certificate) {
    return before(server, "localhost", certificate.context().getServerSocketFactory());
  }

  private static FaultProxy before(RedisUrl server, String host, ServerSocketFactory sockets) {
    try {
      return new FaultProxy(server, host, sockets);
    } catch (IOException failure) {
      throw new UncheckedIOException("no proxy before " + server, failure);
    }
  }

  /**
   * Where clients find the proxy, with TLS by the name in its certificate; user, password and
   * database are those of the server.
   */
  public RedisUrl url() {
    return new RedisUrl(host, port, server.user(), server.password(), server.database());
  }

  /**
   * Injects this fault from now on, instead of the one before. Delayed data is passed on. A
   * connection that has lost a reply is cut when faults end, because nothing can repair it.
   */
  public void set(NetworkFault fault) {
    set(fault, 0);
  }

  /**
   * Injects a fault into one script call only.
   *
   * @param fault one that is about replies
   * @param nth which call from now on, from 1
   */
  public void setOnce(NetworkFault fault, int nth) {
    if (nth < 1 || !fault.aboutReplies()) {
      throw new IllegalArgumentException(fault + " must be for call 1 or a later one, not " + nth);
    }
    set(fault, nth);
  }

  /** Injects a fault that is about replies, and spares connections that have only peeked. */
  public void setOnCalls(NetworkFault fault) {
    set(fault, -1);
  }

  /**
   * Replies to script calls with this line of RESP, except on connections that have only peeked.
   */
  public void answer(String line) {
    answer = (line + "\r\n").getBytes(StandardCharsets.UTF_8);
    setOnCalls(NetworkFault.REPLACED);
  }

  byte[] answer() {
    return answer;
  }

  /**
   * Injects a fault into the first or the second command of the next trip of three calls or more.
   *
   * @param command 1 or 2
   */
  public synchronized void setOnTrip(TripFault fault, int command) {
    tripFault = fault;
    tripLink = null;
    untilTripFault = command;
    tripCalls = 0;
  }

  /** Returns how many calls the trip had that met its fault; 0 if there was none yet. */
  public synchronized int tripCalls() {
    return tripCalls;
  }

  /** The fault of a script call that a link has read; null if it meets none. */
  synchronized @Nullable TripFault faultOfTrip(ProxyLink link, byte[] request) {
    if (tripFault == null || tripLink != null && tripLink != link) {
      return null;
    }
    if (tripLink == null) {
      tripCalls = TripFault.calls(request);
      tripLink = tripCalls == 0 ? null : link;
    }
    TripFault met = tripLink != null && --untilTripFault == 0 ? tripFault : null;
    tripFault = met == null ? tripFault : null;
    return met;
  }

  /** Replies to script calls arrive this much later than the calls were sent, at least. */
  public void delay(Duration duration) {
    delay = duration;
    set(NetworkFault.DELAYED);
  }

  private synchronized void set(NetworkFault fault, int nth) {
    countdown.set(nth);
    onlyOne = nth > 0;
    sparesChecks = nth != 0;
    this.fault = fault;
    notifyAll();
    if (fault == NetworkFault.NONE) {
      links.stream().filter(ProxyLink::isDeaf).forEach(ProxyLink::cut);
    }
    if (fault == NetworkFault.SILENT) {
      links.forEach(ProxyLink::silence);
    }
    try {
      IOUtils.closeQuietly(hanging);
      if (fault.closed()) {
        listener.close();
        links.forEach(ProxyLink::cut);
      } else if (listener.isClosed()) {
        listener = ListeningSocket.open(sockets, port, MOST_LINKS);
        accept(listener);
      }
      if (fault == NetworkFault.UNREACHABLE) {
        hanging = new FullAcceptQueue(port);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Connects new clients to another server; connections that stand stay where they are. */
  public void moveTo(RedisUrl other) {
    server = other;
  }

  /** Cuts all connections, and from now on refuses TLS clients without a certificate. */
  public void demandCertificates() {
    demanding = true;
    links.forEach(ProxyLink::cut);
  }

  /** Returns how many connections were made to it so far. */
  public long connections() {
    return connections.get();
  }

  /** Returns on how many connections that have only peeked an answer was passed on so far. */
  public int checks() {
    return checks.size();
  }

  void checked(ProxyLink link) {
    checks.add(link);
  }

  /** Replies to script calls that were dropped, held, cut off or delayed. */
  public long faulted() {
    return faulted.get();
  }

  /** Cuts every connection and listens no more. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      fault = NetworkFault.REFUSED;
      notifyAll();
      IOUtils.closeQuietly(listener);
      IOUtils.closeQuietly(hanging);
    }
    links.forEach(ProxyLink::cut);
    threads.shutdownNow();
  }

  void ended(ProxyLink link) {
    links.remove(link);
  }

  /**
   * The fault for the reply to a script call that has just come.
   *
   * @param ofCheck whether its connection has only peeked, like one for the check: it is spared by
   *     a fault that hits only one reply, or only calls, and is not counted
   */
  NetworkFault faultOfReply(boolean ofCheck) {
    NetworkFault now = fault;
    boolean hit = !sparesChecks || !ofCheck && (!onlyOne || countdown.decrementAndGet() == 0);
    if (!hit || !now.aboutReplies()) {
      return NetworkFault.NONE;
    }
    if (!ofCheck) {
      faulted.incrementAndGet();
    }
    return now;
  }

  Duration delay() {
    return delay;
  }

  /** Waits while there is a fault of this kind; false if the proxy has ended. */
  boolean awaitEndOf(NetworkFault kind, BooleanSupplier ended) {
    if (fault != kind) {
      return !closed;
    }
    synchronized (this) {
      while (fault == kind && !closed && !ended.getAsBoolean()) {
        try {
          wait(50);
        } catch (InterruptedException stopped) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
      return !closed;
    }
  }

  private void accept(ServerSocket on) {
    threads.execute(
        () -> {
          try {
            while (!on.isClosed()) {
              link(on.accept());
            }
          } catch (IOException ended) {
            IOUtils.closeQuietly(on);
          }
        });
  }

  private void link(Socket client) {
    Socket upstream = new Socket();
    connections.incrementAndGet();
    try {
      if (links.size() >= MOST_LINKS) {
        throw new IOException("too many connections");
      }
      client.setTcpNoDelay(true);
      if (client instanceof SSLSocket encrypted) {
        encrypted.setNeedClientAuth(demanding);
      }
      upstream.setTcpNoDelay(true);
      upstream.connect(new InetSocketAddress(server.host(), server.port()), CONNECT_TIMEOUT_MS);
      ProxyLink link = new ProxyLink(this, client, upstream);
      links.add(link);
      threads.execute(link::pumpRequests);
      threads.execute(link::pumpReplies);
      if (fault.closed()) {
        link.cut();
      }
    } catch (IOException | RejectedExecutionException refusedOrClosed) {
      IOUtils.closeQuietly(client);
      IOUtils.closeQuietly(upstream);
    }
  }
}
