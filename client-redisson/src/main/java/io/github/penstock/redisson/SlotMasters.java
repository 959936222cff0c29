package io.github.penstock.redisson;

import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveEntry;

/**
 * Which master of a cluster owns a key, as Redisson's own connections have it. Safe for use by
 * several threads.
 *
 * <p>Redisson's API does not show that without asking a server; its connection manager does, and is
 * public. Where it is not available (a client of another class, a version that has it elsewhere) no
 * master is known.
 */
final class SlotMasters {
  private final @Nullable ConnectionManager connections;

  SlotMasters(RedissonClient client) {
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
