package io.github.penstock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisClient;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveEntry;

/**
 * The masters that Redisson's own connections lead to: which one of a cluster owns a key. Safe for
 * use by several threads.
 *
 * <p>Redisson's API does not show that without asking a server; its connection manager does, and is
 * public.
 */
final class NodeMasters {
  private static final int FEWEST_OF_ONE_CALL_EACH = 10;
  private final ConnectionManager connections;
  private volatile Future<?> renewal = CompletableFuture.completedFuture(null);

  /**
   * @throws IllegalArgumentException if the client is not one of Redisson's own
   */
  NodeMasters(RedissonClient client) {
    if (!(client instanceof Redisson own)) {
      throw new IllegalArgumentException(
          "client: must be one that Redisson.create made, not " + client.getClass().getName());
    }
    connections = own.getCommandExecutor().getConnectionManager();
  }

  /** The address of the master of a key; null if it is not known. */
  @Nullable Object of(byte[] key) {
    try {
      MasterSlaveEntry master = master(key);
      return master == null ? null : master.getClient().getAddr();
    } catch (RuntimeException e) {
      return null;
    }
  }

  /**
   * The client of the master of a key, which has its address, credentials and TLS.
   *
   * @throws RedisNodeNotFoundException if the master is not known
   */
  RedisClient client(byte[] key) {
    MasterSlaveEntry master = master(key);
    if (master == null) {
      throw new RedisNodeNotFoundException("no master is known");
    }
    return master.getClient();
  }

  private @Nullable MasterSlaveEntry master(byte[] key) {
    return connections.getWriteEntry(connections.calcSlot(key));
  }

  /**
   * How many calls a master can be sent at a time: Redisson's connections, or any number if there
   * are so few that it sends several calls on each.
   */
  int connections() {
    int most = connections.getServiceManager().getConfig().getMasterConnectionPoolSize();
    return most < FEWEST_OF_ONE_CALL_EACH ? Integer.MAX_VALUE : most;
  }

  /**
   * Reconnects to a single server by its name, and then closes its old connections; not while it is
   * already doing so. Of two such changes at once Redisson 3.26 mistakes the second one's server
   * for the first one's, and if the second then fails, it permanently has no connection.
   */
  void renew() {
    if (renewal.isDone()) {
      MasterSlaveEntry master = connections.getWriteEntry(0);
      renewal = master.changeMaster(master.getClient().getConfig().getAddress());
    }
  }
}
