package io.github.penstock.jedis;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/** Where a call goes. Safe for use by several threads; nothing here waits for a connection. */
interface NodePools {
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

  /** A call to this pool's node failed; its connection may have been lost or refused. */
  default void failed(Pool<Connection> pool, RuntimeException failure) {}

  /**
   * The route to a replica for a command that only peeks; null if it goes to the owner like any
   * other.
   */
  default @Nullable ReplicaRoute replicas() {
    return null;
  }

  /** Sends a command to every master. */
  void toEveryMaster(CommandArguments command);

  /** Sends to a replica. */
  interface ReplicaRoute {
    /** Sends a command that has its key marked as such. */
    @Nullable Object send(CommandArguments command);
  }
}
