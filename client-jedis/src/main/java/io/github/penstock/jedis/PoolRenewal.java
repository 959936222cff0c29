package io.github.penstock.jedis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.commons.pool2.PooledObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.Pool;

/**
 * Drops the connections of a client that was made here when they lead to a replica, and new ones do
 * not: its address has moved. Safe for use by several threads.
 */
final class PoolRenewal {
  private static final byte[] REPLICA = "slave".getBytes(StandardCharsets.US_ASCII);
  private final BooleanSupplier replaced;
  private final AtomicInteger drops = new AtomicInteger();

  /**
   * @param replaced first looks for another primary; true if the whole client was given up for it
   */
  PoolRenewal(BooleanSupplier replaced) {
    this.replaced = replaced;
  }

  /** Returns how often connections were dropped: those that were taken before are to be closed. */
  int drops() {
    return drops.get();
  }

  /** Begins in the background, where a failure changes nothing. */
  void begin(Pool<Connection> pool) {
    CompletableFuture.runAsync(
        () -> {
          if (!replaced.getAsBoolean() && !leadsToReplica(pool)) {
            drops.incrementAndGet();
            pool.clear();
          }
        });
  }

  /* One new connection shows it, so that a replica gets no more than one each time. */
  private static boolean leadsToReplica(Pool<Connection> pool) {
    try {
      PooledObject<Connection> made = pool.getFactory().makeObject();
      try {
        List<?> role = (List<?>) made.getObject().executeCommand(Command.ROLE);
        return Arrays.equals((byte[]) role.get(0), REPLICA);
      } catch (JedisDataException notPermitted) {
        return false;
      } finally {
        pool.getFactory().destroyObject(made);
      }
    } catch (Exception notConnected) {
      throw new CompletionException(notConnected);
    }
  }
}
