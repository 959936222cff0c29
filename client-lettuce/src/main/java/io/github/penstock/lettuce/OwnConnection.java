package io.github.penstock.lettuce;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.connect.ClientPort;
import io.github.penstock.core.connect.SuppliedAsyncPort;
import io.github.penstock.core.spi.AsyncScriptPort;
import io.github.penstock.core.spi.ServerUri;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.masterreplica.MasterReplica;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The client and the connection of limiters that have their own.
 *
 * @param port calls over it; the first of them begins to make it, and Lettuce makes it again when
 *     it is lost
 * @param close closes both
 */
record OwnConnection(AsyncScriptPort port, Runnable close) {
  static OwnConnection of(ServerUri uri, ClientOptions given, RateLimiterOptions options) {
    BoundedClients clients = BoundedClients.of(given, options);
    RedisUris uris = new RedisUris(clients.step());
    if (uri instanceof ServerUri.Cluster cluster) {
      RedisClusterClient client = clients.cluster(uris.cluster(cluster));
      return of(client, () -> connection(client, options), ClusterPort::new);
    }
    RedisURI server =
        uri instanceof ServerUri.Sentinel sentinel
            ? uris.sentinel(sentinel)
            : uris.single((ServerUri.Single) uri);
    RedisClient client = clients.single(server);
    return of(client, () -> connection(client, server, options), ConnectionPort::new);
  }

  private static <C extends StatefulConnection<byte[], byte[]>> OwnConnection of(
      AbstractRedisClient client, Supplier<C> connect, Function<C, AsyncScriptPort> port) {
    SuppliedAsyncPort supplied =
        new SuppliedAsyncPort(
            () -> {
              C connection = connect.get();
              return new ClientPort<>(
                  port.apply(connection), () -> true, () -> BoundedClients.close(connection));
            },
            ScriptCommand::serverError);
    Runnable close =
        () -> {
          // Of a client that is closed while it connects, a thread and a connection would stay.
          try {
            supplied.close(BoundedClients.CLOSING);
          } finally {
            BoundedClients.close(client);
          }
        };
    return new OwnConnection(supplied, close);
  }

  private static StatefulRedisConnection<byte[], byte[]> connection(
      RedisClient client, RedisURI server, RateLimiterOptions options) {
    if (!options.peekOnReplicas()) {
      return client.connect(ByteArrayCodec.INSTANCE, server);
    }
    StatefulRedisMasterReplicaConnection<byte[], byte[]> connection =
        MasterReplica.connect(client, ByteArrayCodec.INSTANCE, server);
    connection.setReadFrom(ReadFrom.REPLICA_PREFERRED);
    return connection;
  }

  private static StatefulRedisClusterConnection<byte[], byte[]> connection(
      RedisClusterClient client, RateLimiterOptions options) {
    StatefulRedisClusterConnection<byte[], byte[]> connection =
        client.connect(ByteArrayCodec.INSTANCE);
    if (options.peekOnReplicas()) {
      connection.setReadFrom(ReadFrom.REPLICA_PREFERRED);
    }
    return connection;
  }
}
