package io.github.penstock.jedis;

import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.connecting.ClientTransport;
import io.github.penstock.core.spi.connecting.ServerUri;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
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
  static ClientTransport connect(BoundedConfig config, ServerUri uri) {
    OwnClient own = new OwnClient(config, uri);
    try {
      NodePools nodes = NodePools.of(own.client, own::replace);
      return new ClientTransport(
          new JedisTransport(nodes, false, call -> own.check(nodes, call)),
          () -> !own.replaced,
          own.client::close);
    } catch (RuntimeException e) {
      own.client.close();
      throw e;
    }
  }

  private Connection check(NodePools nodes, ScriptCall call) {
    if (uri instanceof ServerUri.Single single) {
      return config.check(uri, BoundedConfig.node(single.address()));
    }
    if (client instanceof RedisSentinelClient own) {
      return config.check(uri, own.getCurrentMaster());
    }
    Object name = nodes.node(call.key());
    return name == null
        ? JedisCheck.connected(nodes.owner(call.key()))
        : config.check(uri, HostAndPort.from(name.toString()));
  }

  /*
   * Jedis learns of another primary only while its subscriptions live, so the sentinels are
   * queried.
   */
  private boolean replace() {
    if (uri instanceof ServerUri.Sentinel sentinel
        && client instanceof RedisSentinelClient own
        && !config.primary(sentinel).equals(own.getCurrentMaster())) {
      replaced = true;
      client.close();
    }
    return replaced;
  }
}
