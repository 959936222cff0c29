package io.github.penstock.jedis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.commons.pool2.PooledObject;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.Pool;

/** One master: of a single server, or the one that Sentinel names now. */
final class PoolNodes implements NodePools {
  private static final byte[] REPLICA = "slave".getBytes(StandardCharsets.US_ASCII);
  private final Supplier<Pool<Connection>> master;
  private final @Nullable BooleanSupplier replaced;
  private final AtomicInteger drops = new AtomicInteger();

  /**
   * @param replaced looks for another primary, and returns whether the whole client was given up
   *     for it; null for the application's client
   */
  PoolNodes(Supplier<Pool<Connection>> master, @Nullable BooleanSupplier replaced) {
    this.master = master;
    this.replaced = replaced;
  }

  @Override
  public boolean isOpen() {
    return !master.get().isClosed();
  }

  @Override
  public Pool<Connection> owner(byte[] key) {
    return master.get();
  }

  @Override
  public Object node(byte[] key) {
    return "the server";
  }

  /*
   * In the background, where a failure changes nothing. Connections that lead to a replica are
   * dropped where new ones do not: the address of the master has moved.
   */
  @Override
  public void renew(byte[] key) {
    if (replaced != null) {
      Pool<Connection> pool = master.get();
      CompletableFuture.runAsync(
          () -> {
            if (!replaced.getAsBoolean() && !leadsToReplica(pool)) {
              drops.incrementAndGet();
              pool.clear();
            }
          });
    }
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

  @Override
  public int drops() {
    return drops.get();
  }

  @Override
  public void toEveryMaster(CommandArguments command) {
    try (Connection connection = master.get().getResource()) {
      connection.executeCommand(command);
    }
  }
}
