package io.github.penstock.jedis;

import io.github.penstock.core.spi.ClientTransport;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.ServerUri;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;

/** A client that was made here, until another takes its place. Safe for use by several threads. */
final class OwnClient {
  private final BoundedConfig config;
  private final ServerUri uri;
  private final UnifiedJedis client;
  private volatile boolean replaced;

  private OwnClient(BoundedConfig config, ServerUri uri) {
    this.config = config;
    this.uri = uri;
    client = config.client(uri);
  }

  /** Connects, which takes time, and may throw. */
  static ClientTransport<ScriptTransport> connect(
      BoundedConfig config, ServerUri uri, PoolWait wait) {
    OwnClient own = new OwnClient(config, uri);
    try {
      NodePools nodes = NodePools.of(own.client, new PoolRenewal(own::replace));
      return new ClientTransport<>(
          new JedisTransport(nodes, wait), () -> !own.replaced, own.client::close);
    } catch (RuntimeException e) {
      own.client.close();
      throw e;
    }
  }

  /*
   * Jedis learns of another primary only while its subscriptions live, so the sentinels are
   * queried.
   */
  private boolean replace() {
    if (uri instanceof ServerUri.Sentinel sentinel
        && client instanceof RedisSentinelClient own
        && !config.addressOf(sentinel).ask().equals(own.getCurrentMaster())) {
      replaced = true;
      client.close();
    }
    return replaced;
  }
}
