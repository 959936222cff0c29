package io.github.penstock.jedis;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  private static final String LATE = "the deadline passed before it was sent";
  private final NodePools nodes;
  private final Pool<Connection> pool;
  private final int drops;
  private final Connection connection;
  private final int ownTimeout;
  private boolean closedByServer;

  /**
   * Takes a connection out of the pool.
   *
   * @param given whether the client is the application's, permanently
   * @throws NotSentException if none is available before the deadline
   */
  ConnectionLease(NodePools nodes, Pool<Connection> pool, boolean given, ScriptCall call) {
    this.nodes = nodes;
    this.pool = pool;
    drops = nodes.drops();
    connection = connection(given, call);
    ownTimeout = connection.getSoTimeout();
  }

  private Connection connection(boolean given, ScriptCall call) {
    try {
      return borrowed(call);
    } catch (NotSentException e) {
      if (given && !nodes.isOpen()) {
        throw new MisconfiguredException("the client that was passed in is closed", e.reason());
      }
      throw e;
    }
  }

  private Connection borrowed(ScriptCall call) {
    boolean interrupted = false;
    try {
      for (long left = call.remainingNanos(); left > 0; left = call.remainingNanos()) {
        try {
          Connection connection = pool.borrowObject(Duration.ofNanos(left));
          if (call.remainingNanos() > 0) {
            return connection;
          }
          pool.returnResource(connection);
        } catch (NoSuchElementException e) {
          throw new NotSentException(
              new JedisException("all connections of the pool are in use", e));
        } catch (InterruptedException e) {
          // A pool that closes interrupts its waiters; no other code interrupts them.
          interrupted = interrupted || !pool.isClosed();
        }
      }
    } catch (NotSentException e) {
      throw e;
    } catch (JedisException e) {
      throw NotSentException.notConnected(JedisTransport.withCause(e));
    } catch (Exception e) {
      String none = "no connection could be obtained";
      throw pool.isClosed()
          ? new NotSentException(new JedisException(none))
          : NotSentException.notConnected(new JedisException(none, e));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    throw late();
  }

  /** The failure of a call whose deadline passed before it was sent, or sent again. */
  static NotSentException late() {
    return new NotSentException(new JedisException(LATE, new TimeoutException(LATE)));
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
