package io.github.penstock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveEntry;

/**
 * The masters that Redisson's own connections lead to: which one of a cluster owns a key. Safe for
 * use by several threads.
 *
 * <p>Redisson's API does not show that without asking a server; its connection manager does, and is
 * public. Where it is not available (a client of another class, a version that has it elsewhere) no
 * master is known.
 */
final class NodeMasters {
  private static final int FEWEST_OF_ONE_CALL_EACH = 10;
  private final @Nullable ConnectionManager connections;
  private volatile Future<?> renewal = CompletableFuture.completedFuture(null);

  NodeMasters(RedissonClient client) {
    connections = connections(client);
  }

  /** The address of the master of a key; null if it is not known. */
  @Nullable Object of(byte[] key) {
    if (connections == null) {
      return null;
    }
    try {
      MasterSlaveEntry master = connections.getWriteEntry(connections.calcSlot(key));
      return master == null ? null : master.getClient().getAddr();
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }

  /**
   * How many calls a master can be sent at a time: Redisson's connections, or any number if there
   * are so few that it sends several calls on each.
   */
  int connections() {
    try {
      int most =
          connections == null
              ? Integer.MAX_VALUE
              : connections.getServiceManager().getConfig().getMasterConnectionPoolSize();
      return most < FEWEST_OF_ONE_CALL_EACH ? Integer.MAX_VALUE : most;
    } catch (LinkageError e) {
      return Integer.MAX_VALUE;
    }
  }

  /**
   * Reconnects to a single server by its name, and then closes its old connections; not while it is
   * already doing so. Of two such changes at once Redisson 3.26 mistakes the second one's server
   * for the first one's, and if the second then fails, it permanently has no connection.
   */
  void renew() {
    if (connections != null && renewal.isDone()) {
      MasterSlaveEntry master = connections.getWriteEntry(0);
      renewal = master.changeMaster(master.getClient().getConfig().getAddress());
    }
  }

  private static @Nullable ConnectionManager connections(RedissonClient client) {
    try {
      return client instanceof Redisson own
          ? own.getCommandExecutor().getConnectionManager()
          : null;
    } catch (LinkageError e) {
      return null;
    }
  }
}
