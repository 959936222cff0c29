package io.github.penstock.lettuce;

import io.github.penstock.core.spi.CheckConnection;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opens the connections for the check of all nodes, on an event loop of its own, which busy calls
 * do not delay. Safe for use by several threads.
 */
final class CheckClient {
  /* Core gives up before: a silent server is not one that refuses connections. */
  private static final Duration CONNECTING = Duration.ofSeconds(10);

  private final BoundedClients clients = new BoundedClients(CONNECTING);
  private @Nullable RedisClient client;
  private boolean closed;

  /** Connects to a node as calls do. */
  CheckConnection open(RedisURI node) {
    RedisURI patient = RedisURI.builder(node).withTimeout(CONNECTING).build();
    StatefulRedisConnection<byte[], byte[]> made =
        clients.made(client().connectAsync(ByteArrayCodec.INSTANCE, patient));
    return LettuceCheck.own(made, () -> close(made));
  }

  /* A client closes its connections with it, and warns of one that is closed twice. */
  private synchronized void close(StatefulRedisConnection<byte[], byte[]> connection) {
    if (!closed) {
      connection.closeAsync();
    }
  }

  private synchronized RedisClient client() {
    if (closed) {
      throw new IllegalStateException("these limiters are closed");
    }
    if (client == null) {
      client = clients.checking();
    }
    return client;
  }

  synchronized void close() {
    closed = true;
    if (client != null) {
      BoundedClients.close(List.of(client));
    }
  }
}
