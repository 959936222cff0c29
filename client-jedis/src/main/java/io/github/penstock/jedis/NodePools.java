package io.github.penstock.jedis;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/** Where a call goes. Safe for use by several threads; nothing here waits for a connection. */
interface NodePools {
  /**
   * The pools of a client.
   *
   * @param replaced looks for another primary than that of a client that was made here, and returns
   *     whether the client was given up for it; null for the application's client
   * @throws IllegalArgumentException unless it is a client of a server, a cluster or Sentinel
   * @throws IllegalStateException if this Jedis is too old for it
   */
  static NodePools of(UnifiedJedis client, @Nullable BooleanSupplier replaced) {
    NeededJedis.SINGLE.require();
    Objects.requireNonNull(client, "client");
    if (client instanceof RedisClient single) {
      return new PoolNodes(single::getPool, replaced);
    }
    if (client instanceof RedisClusterClient cluster) {
      NeededJedis.CLUSTER.require();
      return new ClusterNodes(cluster);
    }
    if (client instanceof RedisSentinelClient sentinel) {
      NeededJedis.SENTINEL.require();
      return new PoolNodes(
          () -> sentinel.getPrimaryNodesConnectionMap().values().iterator().next(), replaced);
    }
    throw new IllegalArgumentException(
        "client must be a RedisClient, RedisClusterClient or RedisSentinelClient: "
            + client.getClass().getName());
  }

  /** Returns whether the client is open; false once it was closed. */
  boolean isOpen();

  /** The pool of the node that owns a key, as far as it is known. */
  Pool<Connection> owner(byte[] key);

  /** Which node that is; null if it is not known. */
  @Nullable Object node(byte[] key);

  /**
   * The pool that a redirection names.
   *
   * @throws JedisRedirectionException the redirection, if it cannot be followed
   */
  default Pool<Connection> target(JedisRedirectionException redirection) {
    throw redirection;
  }

  /** Returns whether {@link #target} follows redirections. */
  default boolean followsRedirects() {
    return false;
  }

  /** A call to this pool's node failed; its connection may have been lost or refused. */
  default void failed(Pool<Connection> pool, RuntimeException failure) {}

  /** The owner of a key answered that it is a replica; looks for another one, without waiting. */
  default void renew(byte[] key) {}

  /** Returns how often connections were dropped: those that were taken before are to be closed. */
  default int drops() {
    return 0;
  }

  /**
   * Returns what sends a command that only peeks, with its key marked as such, to a replica; null
   * if it goes to the owner like any other.
   */
  default @Nullable Function<CommandArguments, @Nullable Object> replicas() {
    return null;
  }

  /** Sends a command to every master. */
  void toEveryMaster(CommandArguments command);
}
