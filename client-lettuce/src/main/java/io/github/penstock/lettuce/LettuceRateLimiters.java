package io.github.penstock.lettuce;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.Limit;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.AsyncLimiters;
import io.github.penstock.core.spi.AsyncScriptPort;
import io.github.penstock.core.spi.AwaitingPort;
import io.github.penstock.core.spi.Limiters;
import io.github.penstock.core.spi.ScriptRunner;
import io.github.penstock.core.spi.ScriptSource;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.masterreplica.MasterReplica;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import io.lettuce.core.support.AsyncPool;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Rate limiters on Lettuce, blocking and asynchronous.
 *
 * <p>{@code connect...} makes a client of its own; {@code using} takes a connection that the
 * application has, whatever its codec and options, and never closes it. Either way a call is
 * written to a connection at most once, whatever Lettuce does after a lost one, and is answered or
 * given up within its deadline. Safe for use by several threads.
 */
public final class LettuceRateLimiters implements RateLimiters, AsyncRateLimiters, ScriptSource {
  private static final Duration LOADING = Duration.ofSeconds(10);
  private final Limiters limiters;
  private final AsyncLimiters asyncLimiters;
  private final Runnable close;

  private LettuceRateLimiters(AsyncScriptPort port, RateLimiterOptions options, Runnable close) {
    limiters = new Limiters(new AwaitingPort(port, LOADING), options);
    asyncLimiters = new AsyncLimiters(port, options);
    this.close = close;
  }

  /** Connects with default options; see {@link #connect(String, RateLimiterOptions)}. */
  public static LettuceRateLimiters connect(String uri) {
    return connect(uri, RateLimiterOptions.defaults());
  }

  /**
   * Connects to a single server, or to the master that Sentinel names. With {@link
   * RateLimiterOptions#peekOnReplicas()} it finds the replicas, too, and prefers them for looks.
   *
   * @param uri as {@link RedisURI} describes it: {@code
   *     redis://[[user]:password@]host[:port][/database]}, {@code rediss://...} for TLS, {@code
   *     redis-sentinel://host[:port][,host...]#masterId}
   * @throws IllegalArgumentException if the URI is none
   * @throws io.lettuce.core.RedisConnectionException if the server does not answer
   */
  public static LettuceRateLimiters connect(String uri, RateLimiterOptions options) {
    RedisURI server = RedisURI.create(uri);
    RedisClient client = BoundedClients.of(options).single(server);
    return owning(client, () -> connection(client, server, options), ConnectionPort::new, options);
  }

  /** Connects with default options; see {@link #connectCluster(String, RateLimiterOptions)}. */
  public static LettuceRateLimiters connectCluster(String uri) {
    return connectCluster(uri, RateLimiterOptions.defaults());
  }

  /**
   * Connects to a cluster. With {@link RateLimiterOptions#peekOnReplicas()} looks prefer replicas.
   *
   * @param uri {@code redis://[[user]:password@]host[:port][,host[:port]...]}, some of its nodes
   * @throws IllegalArgumentException if the URI is none
   * @throws io.lettuce.core.RedisException if none of the nodes answers
   */
  public static LettuceRateLimiters connectCluster(String uri, RateLimiterOptions options) {
    List<RedisURI> nodes = RedisClusterURIUtil.toRedisURIs(URI.create(uri));
    RedisClusterClient client = BoundedClients.of(options).cluster(nodes);
    return owning(client, () -> connection(client, options), ClusterPort::new, options);
  }

  /** Uses the application's connection with default options. */
  public static LettuceRateLimiters using(StatefulRedisConnection<?, ?> connection) {
    return using(connection, RateLimiterOptions.defaults());
  }

  /**
   * Uses the application's connection, and never closes it. Where a look goes is decided by the
   * connection's {@code ReadFrom}, if it has one.
   */
  public static LettuceRateLimiters using(
      StatefulRedisConnection<?, ?> connection, RateLimiterOptions options) {
    return new LettuceRateLimiters(new ConnectionPort(bytes(connection)), options, () -> {});
  }

  /** Uses the application's connection to a cluster with default options. */
  public static LettuceRateLimiters using(StatefulRedisClusterConnection<?, ?> connection) {
    return using(connection, RateLimiterOptions.defaults());
  }

  /**
   * Uses the application's connection to a cluster, and never closes it. Where a look goes is
   * decided by the connection's {@code ReadFrom}.
   */
  public static LettuceRateLimiters using(
      StatefulRedisClusterConnection<?, ?> connection, RateLimiterOptions options) {
    @SuppressWarnings("unchecked")
    StatefulRedisClusterConnection<byte[], byte[]> cluster =
        (StatefulRedisClusterConnection<byte[], byte[]>) connection;
    return new LettuceRateLimiters(new ClusterPort(cluster), options, () -> {});
  }

  /** Uses the application's pool with default options. */
  public static LettuceRateLimiters using(AsyncPool<? extends StatefulRedisConnection<?, ?>> pool) {
    return using(pool, RateLimiterOptions.defaults());
  }

  /**
   * Uses the application's pool, and never closes it or what it lends. A call that the pool has no
   * connection for fails at once, as {@link io.lettuce.core.support.BoundedAsyncPool} does, and was
   * not sent.
   */
  @SuppressWarnings("unchecked")
  public static LettuceRateLimiters using(
      AsyncPool<? extends StatefulRedisConnection<?, ?>> pool, RateLimiterOptions options) {
    AsyncPool<?> lender = pool;
    AsyncPool<StatefulConnection<byte[], byte[]>> connections =
        (AsyncPool<StatefulConnection<byte[], byte[]>>) lender;
    return new LettuceRateLimiters(new PoolPort(connections), options, () -> {});
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit) {
    return limiters.limiter(policy, limit);
  }

  @Override
  public AsyncRateLimiter asyncLimiter(String policy, Limit limit) {
    return asyncLimiters.limiter(policy, limit);
  }

  @Override
  public void loadFunctions() {
    limiters.loadFunctions();
  }

  @Override
  public ScriptRunner scripts() {
    return limiters.scripts();
  }

  @Override
  public void close() {
    close.run();
  }

  private static <C extends StatefulConnection<byte[], byte[]>> LettuceRateLimiters owning(
      AbstractRedisClient client,
      Supplier<C> connect,
      Function<C, AsyncScriptPort> port,
      RateLimiterOptions options) {
    try {
      C connection = connect.get();
      Runnable close = () -> BoundedClients.close(client, connection);
      return new LettuceRateLimiters(port.apply(connection), options, close);
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

  @SuppressWarnings("unchecked")
  private static StatefulConnection<byte[], byte[]> bytes(StatefulConnection<?, ?> connection) {
    return (StatefulConnection<byte[], byte[]>) connection;
  }
}
