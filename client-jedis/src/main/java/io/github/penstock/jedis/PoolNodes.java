package io.github.penstock.jedis;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.util.Pool;

/**
 * One master: of a single server, or the one that Sentinel names now.
 *
 * @param renewal drops connections of a client that was made here; null if it is the application's
 */
record PoolNodes(Supplier<Pool<Connection>> master, @Nullable PoolRenewal renewal)
    implements NodePools {
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
  public void renew(byte[] key) {
    if (renewal != null) {
      renewal.begin(master.get());
    }
  }

  @Override
  public int drops() {
    return renewal == null ? 0 : renewal.drops();
  }

  @Override
  public void toEveryMaster(CommandArguments command) {
    try (Connection connection = master.get().getResource()) {
      connection.executeCommand(command);
    }
  }
}
