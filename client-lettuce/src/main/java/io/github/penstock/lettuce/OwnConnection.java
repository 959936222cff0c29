package io.github.penstock.lettuce;

import io.github.penstock.core.RateLimiterOptions;
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
 * @param port calls over it
 * @param close closes both
 */
record OwnConnection(AsyncScriptPort port, Runnable close) {
  /**
   * Connects.
   *
   * @throws io.lettuce.core.RedisException if nobody answers; nothing stays open then
   */
  static OwnConnection open(ServerUri uri, ClientOptions given, RateLimiterOptions options) {
    BoundedClients clients = BoundedClients.of(given, options);
    RedisUris uris = new RedisUris(clients.step());
    if (uri instanceof ServerUri.Cluster cluster) {
      RedisClusterClient client = clients.cluster(uris.cluster(cluster));
      return open(client, () -> connection(client, options), ClusterPort::new);
    }
    RedisURI server =
        uri instanceof ServerUri.Sentinel sentinel
            ? uris.sentinel(sentinel)
            : uris.single((ServerUri.Single) uri);
    RedisClient client = clients.single(server);
    return open(client, () -> connection(client, server, options), ConnectionPort::new);
  }

  private static <C extends StatefulConnection<byte[], byte[]>> OwnConnection open(
      AbstractRedisClient client, Supplier<C> connect, Function<C, AsyncScriptPort> port) {
    try {
      C connection = connect.get();
      return new OwnConnection(
          port.apply(connection), () -> BoundedClients.close(client, connection));
    } catch (RuntimeException e) {
      BoundedClients.close(client);
      throw e;
    }
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
