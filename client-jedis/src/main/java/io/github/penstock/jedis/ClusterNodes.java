package io.github.penstock.jedis;

import io.github.penstock.core.spi.NotSentException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.JedisClusterCRC16;
import redis.clients.jedis.util.Pool;

/**
 * The masters of a cluster. Safe for use by several threads.
 *
 * <p>The client's own executor sends a call again after a lost reply, which would charge it twice,
 * and with one attempt it follows no redirection; which executor a client has cannot be found out.
 * So this uses only the client's pools, and keeps track itself of which one owns a slot, by CLUSTER
 * SLOTS and every MOVED. A call for a slot whose owner is unknown goes to any master, which answers
 * MOVED at worst; never to a replica, which in READONLY mode would run the script on its own data.
 */
final class ClusterNodes implements NodePools {
  private static final int SLOTS = 16_384;
  private static final Executor AFTER_A_PAUSE =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);
  private final RedisClusterClient client;
  private final AtomicReferenceArray<@Nullable ConnectionPool> owners =
      new AtomicReferenceArray<>(SLOTS);
  private final AtomicReferenceArray<@Nullable String> names = new AtomicReferenceArray<>(SLOTS);
  private final AtomicBoolean renewing = new AtomicBoolean();
  private volatile List<ConnectionPool> masters = List.of();

  ClusterNodes(RedisClusterClient client) {
    this.client = client;
    readTopology();
  }

  /* A client that is closed forgets its nodes. */
  @Override
  public boolean isOpen() {
    List<ConnectionPool> known = masters;
    return (!known.isEmpty() && !known.get(0).isClosed()) || !client.getClusterNodes().isEmpty();
  }

  @Override
  public Pool<Connection> owner(byte[] key) {
    ConnectionPool owner = owners.get(JedisClusterCRC16.getSlot(key));
    return owner == null || owner.isClosed() ? anyMaster() : owner;
  }

  /* The last reported owner: while that node fails, its slots have no pool here. */
  @Override
  public @Nullable Object node(byte[] key) {
    return names.get(JedisClusterCRC16.getSlot(key));
  }

  @Override
  public Pool<Connection> target(JedisRedirectionException redirection) {
    String name = redirection.getTargetNode().toString();
    ConnectionPool target = client.getClusterNodes().get(name);
    if (target == null) {
      refresh();
      target = client.getClusterNodes().get(name);
    }
    if (target == null) {
      throw redirection;
    }
    if (redirection instanceof JedisMovedDataException moved) {
      owners.set(moved.getSlot(), target);
      names.set(moved.getSlot(), name);
      renew();
    }
    return target;
  }

  @Override
  public void failed(Pool<Connection> pool, RuntimeException failure) {
    RuntimeException own = failure instanceof NotSentException notSent ? notSent.reason() : failure;
    if (own instanceof JedisConnectionException) {
      forget(pool);
      renew();
    }
  }

  /* A master that became a replica answers READONLY where a connection is in READONLY mode. */
  @Override
  public void renew(byte[] key) {
    forget(owner(key));
    renew();
  }

  private void forget(Pool<Connection> pool) {
    for (int slot = 0; slot < SLOTS; slot++) {
      if (owners.get(slot) == pool) {
        owners.set(slot, null);
      }
    }
  }

  @Override
  public Function<CommandArguments, @Nullable Object> replicas() {
    return command ->
        client.executeCommandToReplica(new CommandObject<>(command, BuilderFactory.RAW_OBJECT));
  }

  @Override
  public boolean followsRedirects() {
    return true;
  }

  @Override
  public void toEveryMaster(CommandArguments command) {
    client.broadcastCommand(new CommandObject<>(command, BuilderFactory.RAW_OBJECT));
  }

  private Pool<Connection> anyMaster() {
    List<ConnectionPool> known = masters;
    if (known.isEmpty()) {
      renew();
      throw NotSentException.notConnected(new JedisException("no master of the cluster is known"));
    }
    return known.get(ThreadLocalRandom.current().nextInt(known.size()));
  }

  /*
   * In the background, because it queries nodes that may not answer; one at a time and a pause
   * after each, because a moved range of slots answers MOVED once for every slot.
   */
  private void renew() {
    if (renewing.compareAndSet(false, true)) {
      CompletableFuture.runAsync(this::readTopology)
          .whenCompleteAsync((nothing, failure) -> renewing.set(false), AFTER_A_PAUSE);
    }
  }

  /* The call has not run: a redirection was its answer. */
  private void refresh() {
    try {
      client.refreshClusterTopology();
    } catch (JedisException e) {
      throw NotSentException.notConnected(JedisTransport.withCause(e));
    }
  }

  private void readTopology() {
    client.refreshClusterTopology();
    Map<String, ConnectionPool> nodes = client.getClusterNodes();
    for (ConnectionPool node : nodes.values()) {
      try {
        Set<ConnectionPool> owning = new LinkedHashSet<>();
        slotRanges(node).forEach(range -> owning.add(assign((List<?>) range, nodes)));
        masters = List.copyOf(owning);
        return;
      } catch (JedisException e) {
        continue;
      }
    }
  }

  private static List<?> slotRanges(ConnectionPool node) {
    try (Connection connection = node.getResource()) {
      return (List<?>)
          connection.executeCommand(new CommandArguments(Protocol.Command.CLUSTER).add("SLOTS"));
    }
  }

  private ConnectionPool assign(List<?> range, Map<String, ConnectionPool> nodes) {
    List<?> master = (List<?>) range.get(2);
    String host = new String((byte[]) master.get(0), StandardCharsets.UTF_8);
    String name = host + ":" + master.get(1);
    ConnectionPool pool = nodes.get(name);
    if (pool == null) {
      throw new JedisException("the client does not know the master of slots " + range.get(0));
    }
    long last = (Long) range.get(1);
    for (int slot = ((Long) range.get(0)).intValue(); slot <= last; slot++) {
      owners.set(slot, pool);
      names.set(slot, name);
    }
    return pool;
  }
}
