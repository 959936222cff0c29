package io.github.penstock.jedis;

import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.ScriptCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/** A connection outside the pool, for the check. */
record JedisCheck(Connection connection) implements CheckConnection {
  JedisCheck {
    connection.setTimeoutInfinite();
  }

  /** Connects as the pool does. */
  static Connection connected(Pool<Connection> pool) {
    try {
      return pool.getFactory().makeObject().getObject();
    } catch (JedisException e) {
      throw JedisTransport.withCause(e);
    } catch (Exception e) {
      throw new JedisConnectionException(e);
    }
  }

  @Override
  public void write(ScriptCall call) {
    connection.sendCommand(JedisTransport.command(call, false));
    connection.getMany(0);
  }

  @Override
  public @Nullable Object read() {
    return connection.getOne();
  }

  @Override
  public void close() {
    try {
      connection.forceDisconnect();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
