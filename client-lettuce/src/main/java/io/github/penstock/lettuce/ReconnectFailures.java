package io.github.penstock.lettuce;

import io.lettuce.core.RedisException;
import io.lettuce.core.event.Event;
import io.lettuce.core.event.connection.ConnectionActivatedEvent;
import io.lettuce.core.event.connection.ReconnectFailedEvent;
import io.lettuce.core.resource.ClientResources;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * The reasons that Lettuce could not reconnect, by address: Lettuce reports them only to its log
 * and its event bus. Safe for use by several threads.
 */
final class ReconnectFailures {
  private static final int MOST = 1_000;
  private final Map<String, Throwable> latest = new ConcurrentHashMap<>();
  private final ClientResources resources;
  private final Disposable subscription;

  /** Listens to the clients that use these resources. */
  ReconnectFailures(ClientResources resources) {
    this.resources = resources;
    subscription = resources.eventBus().get().subscribe(this::heard);
  }

  /** Returns whether this listens to the clients that use these resources. */
  boolean isOf(ClientResources others) {
    return resources == others;
  }

  /** The failure of a call to the node at an address, whose connection is lost. */
  RedisException lost(String host, int port) {
    return lost(latest.get(host + ":" + port));
  }

  /**
   * The failure of a call on a lost connection without a known address: with the reason, if only
   * one address cannot be reached.
   */
  RedisException lost() {
    Iterator<Throwable> reasons = latest.values().iterator();
    Throwable only = reasons.hasNext() ? reasons.next() : null;
    return lost(reasons.hasNext() ? null : only);
  }

  void close() {
    subscription.dispose();
  }

  private void heard(Event event) {
    if (event instanceof ReconnectFailedEvent failed) {
      if (latest.size() >= MOST) {
        latest.clear();
      }
      latest.put(address(failed.remoteAddress()), failed.getCause());
    } else if (event instanceof ConnectionActivatedEvent active) {
      latest.remove(address(active.remoteAddress()));
    }
  }

  /** The failure of a call whose connection is lost. */
  static RedisException lost(@Nullable Throwable reason) {
    return new RedisException("not connected, so the call was not sent", reason);
  }

  private static String address(SocketAddress address) {
    return address instanceof InetSocketAddress host
        ? host.getHostString() + ":" + host.getPort()
        : address.toString();
  }
}
