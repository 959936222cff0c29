package io.github.penstock.testkit.fault;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.IOUtils;
import org.jspecify.annotations.Nullable;

/** One client's connection and the one that it was given to the server; two threads pump it. */
final class ProxyLink {
  private record Request(
      boolean scriptCall, boolean ofCheck, long sentNanos, @Nullable TripFault ofTrip) {}

  private final FaultProxy proxy;
  private final Socket client;
  private final Socket server;
  private final Queue<Request> unanswered = new ConcurrentLinkedQueue<>();
  /* Until then a link may be a client's connection for the check whether the server answers. */
  private volatile boolean charges;
  private volatile boolean deaf;
  private volatile boolean silent;
  private volatile boolean cut;

  ProxyLink(FaultProxy proxy, Socket client, Socket server) {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
  }

  /** True once a reply was lost: TCP delivers nothing after a gap. */
  boolean isDeaf() {
    return deaf;
  }

  /** Stops passing data permanently, and stays open. */
  void silence() {
    silent = true;
  }

  void cut() {
    cut = true;
    IOUtils.closeQuietly(client);
    IOUtils.closeQuietly(server);
  }

  void pumpRequests() {
    try {
      RespFrames requests =
          new RespFrames(new BufferedInputStream(client.getInputStream(), 1 << 16));
      while (awaitOpen()) {
        byte[] request = requests.next();
        if (awaitOpen() && !silent) {
          boolean scriptCall = RespFrames.isScriptCall(request);
          charges = charges || scriptCall && !RespFrames.isPeek(request);
          TripFault met = scriptCall ? proxy.faultOfTrip(this, request) : null;
          if (met == TripFault.NOT_DELIVERED) {
            return;
          }
          unanswered.add(new Request(scriptCall, !charges, System.nanoTime(), met));
          server.getOutputStream().write(met == null ? request : met.changed(request));
        }
      }
    } catch (IOException closed) {
      // Every link ends so; both sides are cut below.
    } finally {
      // Also if the proxy has ended, because no other code can do it then.
      cut();
      proxy.ended(this);
    }
  }

  void pumpReplies() {
    try {
      RespFrames replies =
          new RespFrames(new BufferedInputStream(server.getInputStream(), 1 << 16));
      while (!cut) {
        reply(replies.next());
      }
    } catch (IOException closed) {
      cut();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      cut();
    }
  }

  private void reply(byte[] reply) throws IOException, InterruptedException {
    Request request = RespFrames.isPush(reply) ? null : unanswered.poll();
    NetworkFault fault = fault(request);
    long sentNanos = request == null ? System.nanoTime() : request.sentNanos;
    switch (fault) {
      case REPLY_DROPPED -> deaf = true;
      case CUT -> cut();
      case DELAYED -> sleepUntil(sentNanos + proxy.delay().toNanos());
      case REPLY_HELD -> awaitEndOf(NetworkFault.REPLY_HELD);
      default -> {
        if (!awaitOpen()) {
          return;
        }
      }
    }
    if (!deaf && !silent && !cut) {
      client.getOutputStream().write(told(request, fault, reply));
      if (request != null && request.scriptCall && request.ofCheck) {
        proxy.checked(this);
      }
    }
  }

  private byte[] told(@Nullable Request request, NetworkFault fault, byte[] reply) {
    if (fault == NetworkFault.REPLACED) {
      return proxy.answer();
    }
    return request == null || request.ofTrip == null
        ? reply
        : request.ofTrip.changedReply(reply, proxy.url());
  }

  private NetworkFault fault(@Nullable Request request) {
    if (request == null || !request.scriptCall) {
      return NetworkFault.NONE;
    }
    return request.ofTrip == null ? proxy.faultOfReply(request.ofCheck) : request.ofTrip.ofReply();
  }

  private void sleepUntil(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
  }

  private boolean awaitOpen() {
    return awaitEndOf(NetworkFault.BLACK_HOLE);
  }

  private boolean awaitEndOf(NetworkFault kind) {
    return proxy.awaitEndOf(kind, () -> cut) && !cut;
  }
}
