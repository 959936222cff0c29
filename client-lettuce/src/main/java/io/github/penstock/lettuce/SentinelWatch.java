package io.github.penstock.lettuce;

import io.github.penstock.lettuce.OwnServer.PrimaryAddress;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The primary that sentinels name: they are queried for it, and each of them reports a new one.
 * Safe for use by several threads.
 *
 * <p>The old primary learns of a planned failover seconds later, and continues to serve until then.
 * The answer of one sentinel is used directly, because another one may not know it yet.
 */
final class SentinelWatch extends RedisPubSubAdapter<String, String> implements PrimaryAddress {
  private static final String SWITCH = "+switch-master";
  private static final long AGAIN_SECONDS = 1;

  private final BoundedClients clients;
  private final RedisClient client;
  private final RedisURI sentinels;
  private final Function<InetSocketAddress, RedisURI> primary;
  private final AtomicReference<@Nullable InetSocketAddress> known = new AtomicReference<>();
  private volatile @Nullable InetSocketAddress used;

  /**
   * Listens to the sentinels from now on, and to those that are away as soon as they are back.
   *
   * @param client a client that reconnects on its own
   * @param primary the URI of a primary at an address
   */
  SentinelWatch(
      BoundedClients clients,
      RedisClient client,
      RedisURI sentinels,
      Function<InetSocketAddress, RedisURI> primary) {
    this.clients = clients;
    this.client = client;
    this.sentinels = sentinels;
    this.primary = primary;
    sentinels.getSentinels().forEach(this::listen);
  }

  @Override
  public RedisURI get() {
    InetSocketAddress next = known.get();
    if (next == null || next.equals(used)) {
      InetSocketAddress asked = ask();
      known.compareAndSet(next, asked);
      next = asked;
    }
    used = next;
    return primary.apply(next);
  }

  @Override
  public boolean hasMoved() {
    return !Objects.equals(known.get(), used);
  }

  /** Of {@code master oldHost oldPort newHost newPort}. */
  @Override
  public void message(String channel, String message) {
    String[] words = message.split(" ");
    if (words.length == 5 && words[0].equals(sentinels.getSentinelMasterId())) {
      known.set(InetSocketAddress.createUnresolved(words[3], Integer.parseInt(words[4])));
    }
  }

  private void listen(RedisURI sentinel) {
    client
        .connectPubSubAsync(StringCodec.UTF8, sentinel)
        .whenComplete(
            (connection, failure) -> {
              if (failure == null) {
                connection.addListener(this);
                connection.async().subscribe(SWITCH);
              } else {
                client
                    .getResources()
                    .eventExecutorGroup()
                    .schedule(() -> listen(sentinel), AGAIN_SECONDS, TimeUnit.SECONDS);
              }
            });
  }

  private InetSocketAddress ask() {
    String name = sentinels.getSentinelMasterId();
    StatefulRedisSentinelConnection<String, String> sentinel =
        clients.made(client.connectSentinelAsync(StringCodec.UTF8, sentinels));
    try {
      if (sentinel.sync().getMasterAddrByName(name) instanceof InetSocketAddress found) {
        return InetSocketAddress.createUnresolved(found.getHostString(), found.getPort());
      }
    } finally {
      sentinel.closeAsync();
    }
    throw new IllegalArgumentException("the sentinels know no master named " + name);
  }
}
