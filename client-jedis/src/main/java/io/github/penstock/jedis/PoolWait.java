package io.github.penstock.jedis;

import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/**
 * The wait for a pooled connection, until the call's deadline. Immutable.
 *
 * @param given whether the client is the application's, permanently
 */
record PoolWait(boolean given) {
  private static final String LATE = "the deadline passed before it was sent";

  /**
   * Takes a connection out of the pool.
   *
   * @throws NotSentException without one
   */
  Connection connection(Pool<Connection> pool, ScriptCall call) {
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
      throw NotSentException.notConnected(withCause(e));
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
    throw new NotSentException(new JedisException(LATE, new TimeoutException(LATE)));
  }

  /**
   * Makes a cause of Jedis' suppressed exceptions: the reasons that it could not connect to any of
   * several addresses. A server's own words are preferred.
   */
  static <T extends Throwable> T withCause(T failure) {
    Throwable[] tried = failure.getSuppressed();
    if (failure.getCause() == null && tried.length > 0) {
      failure.initCause(
          Stream.of(tried)
              .filter(JedisDataException.class::isInstance)
              .findFirst()
              .orElseGet(() -> withCause(tried[0])));
    }
    return failure;
  }
}
