package io.github.penstock.jedis;

import java.util.function.Supplier;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.util.Pool;

/** One master: of a single server, or the one that Sentinel names now. */
record PoolNodes(Supplier<Pool<Connection>> master) implements NodePools {
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

  @Override
  public void toEveryMaster(CommandArguments command) {
    try (Connection connection = master.get().getResource()) {
      connection.executeCommand(command);
    }
  }
}
