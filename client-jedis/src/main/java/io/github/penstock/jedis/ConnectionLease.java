package io.github.penstock.jedis;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/**
 * A pooled connection for as long as one exchange takes: borrowed, written to and read from before
 * a call's deadline, and given back with the time-out that it came with. For one thread.
 */
final class ConnectionLease implements AutoCloseable {
  private final NodePools nodes;
  private final Pool<Connection> pool;
  private final int drops;
  private final Connection connection;
  private final int ownTimeout;
  private boolean closedByServer;

  /**
   * Takes a connection out of the pool.
   *
   * @throws NotSentException if none is available before the deadline
   */
  ConnectionLease(NodePools nodes, Pool<Connection> pool, PoolWait wait, ScriptCall call) {
    this.nodes = nodes;
    this.pool = pool;
    drops = nodes.drops();
    connection = connection(wait, call);
    ownTimeout = connection.getSoTimeout();
  }

  private Connection connection(PoolWait wait, ScriptCall call) {
    try {
      return wait.connection(pool, call);
    } catch (NotSentException e) {
      if (wait.given() && !nodes.isOpen()) {
        throw new MisconfiguredException("the client that was passed in is closed", e.reason());
      }
      throw e;
    }
  }

  void write(CommandArguments command) {
    try {
      connection.sendCommand(command);
    } catch (RuntimeException e) {
      broken(e);
      throw e;
    }
  }

  /** Sends the written commands, without waiting for an answer. */
  void flush() {
    connection.getMany(0);
  }

  /**
   * Sends the written commands and reads one answer.
   *
   * @throws JedisDataException the error that the server answered
   * @throws JedisConnectionException if the connection was lost or the deadline passed
   */
  @Nullable Object read(ScriptCall call) {
    try {
      connection.setSoTimeout(millisLeft(call));
      return connection.getOne();
    } catch (JedisDataException e) {
      throw e;
    } catch (RuntimeException e) {
      broken(e);
      throw e;
    }
  }

  private void broken(RuntimeException failure) {
    connection.setBroken();
    closedByServer =
        failure instanceof JedisConnectionException
            && !(failure.getCause() instanceof SocketTimeoutException);
  }

  /*
   * A lost connection goes back in the background: the pool may at once reconnect for another. A
   * server that closed this connection has most likely closed the idle ones too, by a restart or
   * its own time-out: each of them would cost a call.
   */
  @Override
  public void close() {
    if (restored()) {
      pool.returnResource(connection);
    } else {
      CompletableFuture.runAsync(
          () -> {
            pool.returnBrokenResource(connection);
            if (closedByServer) {
              pool.clear();
            }
          });
    }
  }

  private boolean restored() {
    try {
      connection.setSoTimeout(ownTimeout);
    } catch (JedisException e) {
      connection.setBroken();
    }
    return !connection.isBroken() && drops == nodes.drops();
  }

  /* At least 1: for a socket, 0 means forever. */
  private static int millisLeft(ScriptCall call) {
    long millis = TimeUnit.NANOSECONDS.toMillis(call.remainingNanos());
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, millis));
  }
}
