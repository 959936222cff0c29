package io.github.penstock.lettuce;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.connecting.ClientTransport;
import io.github.penstock.core.spi.connecting.ServerUri;
import io.github.penstock.core.spi.connecting.SuppliedTransport;
import io.github.penstock.lettuce.OwnServer.PrimaryAddress;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.masterreplica.MasterReplica;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The clients and the connections of limiters that have their own.
 *
 * @param transport calls over them; the first of them begins to connect
 * @param close closes all
 */
record OwnConnection(ScriptTransport transport, Runnable close) {
  static OwnConnection of(ServerUri uri, RateLimiterOptions options) {
    BoundedClients clients = BoundedClients.of(options);
    CheckClient checks = new CheckClient();
    if (uri instanceof ServerUri.Cluster cluster) {
      RedisClusterClient client = clients.cluster(cluster);
      ReconnectFailures failures = new ReconnectFailures(client.getResources());
      return of(() -> cluster(client, failures, checks, options), checks, List.of(client));
    }
    RedisClient client = clients.single();
    RedisClient reconnecting = clients.reconnecting(client);
    RedisURI server;
    PrimaryAddress address;
    if (uri instanceof ServerUri.Sentinel sentinel) {
      server = clients.sentinel(sentinel);
      address =
          new SentinelWatch(
              clients,
              reconnecting,
              server,
              at -> clients.server(at, sentinel, sentinel.database()));
    } else {
      ServerUri.Single single = (ServerUri.Single) uri;
      server = clients.server(single.address(), single, single.database());
      address = () -> server;
    }
    return of(
        new OwnServer(
            clients,
            client,
            address,
            checks,
            () -> replicas(clients, reconnecting, server, options)),
        checks,
        List.of(reconnecting, client));
  }

  private static OwnConnection of(
      Supplier<ClientTransport> connect, CheckClient checks, List<AbstractRedisClient> clients) {
    SuppliedTransport supplied = new SuppliedTransport(connect, ScriptCommand::failureOf);
    Runnable close =
        () -> {
          // Of a client that is closed while it connects, a thread and a connection would stay.
          try {
            supplied.close(BoundedClients.CLOSING);
          } finally {
            checks.close();
            BoundedClients.close(clients);
          }
        };
    return new OwnConnection(supplied, close);
  }

  /** For peeks; null if they go to the primary. */
  private static @Nullable ConnectionTransport replicas(
      BoundedClients clients, RedisClient client, RedisURI server, RateLimiterOptions options) {
    if (!options.peekOnReplicas()) {
      return null;
    }
    StatefulRedisMasterReplicaConnection<byte[], byte[]> connection =
        clients.made(MasterReplica.connectAsync(client, ByteArrayCodec.INSTANCE, server));
    connection.setReadFrom(ReadFrom.REPLICA_PREFERRED);
    return ConnectionTransport.own(connection, null, () -> {}, null);
  }

  private static ClientTransport cluster(
      RedisClusterClient client,
      ReconnectFailures failures,
      CheckClient checks,
      RateLimiterOptions options) {
    StatefulRedisClusterConnection<byte[], byte[]> connection;
    try {
      connection = client.connect(ByteArrayCodec.INSTANCE);
    } catch (RedisException e) {
      throw GivenConnections.told(e);
    }
    if (options.peekOnReplicas()) {
      connection.setReadFrom(ReadFrom.REPLICA_PREFERRED);
    }
    return new ClientTransport(
        new ClusterTransport(connection, failures, checks),
        () -> true,
        () -> BoundedClients.close(connection));
  }
}
