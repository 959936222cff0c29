package io.github.penstock.jedis;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.connect.ClientPort;
import io.github.penstock.core.connect.SuppliedPort;
import io.github.penstock.core.engine.PortRateLimiters;
import io.github.penstock.core.spi.ScriptPort;
import io.github.penstock.core.spi.ServerUri;
import java.util.Objects;
import java.util.function.Supplier;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;

/**
 * Rate limiters on a Jedis client: of a single server, a cluster, or the master that Sentinel
 * names.
 *
 * <p>{@code connect} makes a client of its own, with a pool of up to 64 connections to each node;
 * {@code using} takes the one that the application has, and never closes it. Either way calls go
 * over the client's pooled connections and not through its executor: each is sent once, waits for a
 * connection and for its answer no longer than its deadline, and follows a cluster's redirections.
 * Making a new connection is bounded by the client's own time-outs, which {@code connect} sets to a
 * quarter of the deadline each. Safe for use by several threads.
 */
public final class JedisRateLimiters extends PortRateLimiters {
  private JedisRateLimiters(ScriptPort port, RateLimiterOptions options, Runnable close) {
    super(port, options, close);
  }

  /** Connects with default options; see {@link #connect(String, RateLimiterOptions)}. */
  public static JedisRateLimiters connect(String uri) {
    return connect(uri, RateLimiterOptions.defaults());
  }

  /**
   * Connects to a single server, a cluster, or the master that Sentinel names. The first call
   * connects; while that fails, calls end as {@link RateLimiterOptions#onUnavailable()} says.
   *
   * @param uri {@code redis://[[user]:password@]host[:port][/database]}, {@code
   *     redis-cluster://...} or {@code redis-sentinel://...}, {@code rediss} for TLS, as {@link
   *     ServerUri} describes it
   * @throws IllegalArgumentException if the URI is invalid
   * @throws IllegalStateException if this Jedis is too old for it
   */
  public static JedisRateLimiters connect(String uri, RateLimiterOptions options) {
    return connect(uri, DefaultJedisClientConfig.builder().build(), options);
  }

  /**
   * Connects as {@link #connect(String, RateLimiterOptions)} does, with Jedis' own configuration.
   *
   * @param config TLS, the protocol, the client's name and the like, also of sentinels; its
   *     time-outs are replaced. The URI's user, password and database take precedence over its own;
   *     only the URI says how to sign in to sentinels
   */
  public static JedisRateLimiters connect(
      String uri, JedisClientConfig config, RateLimiterOptions options) {
    ServerUri server = ServerUri.parse(uri);
    Objects.requireNonNull(config, "config");
    NeededJedis.of(server).require();
    BoundedConfig bounded = new BoundedConfig(config, options);
    SuppliedPort port =
        new SuppliedPort(
            () -> {
              UnifiedJedis client = bounded.client(server);
              return new ClientPort<>(new JedisPort(nodesOf(client)), () -> true, client::close);
            },
            JedisPort::errorOf);
    return new JedisRateLimiters(port, options, port::close);
  }

  /** Uses the application's client with default options. */
  public static JedisRateLimiters using(UnifiedJedis client) {
    return using(client, RateLimiterOptions.defaults());
  }

  /**
   * Uses the application's client, and never closes it.
   *
   * @param client a {@link RedisClient}, {@link RedisClusterClient} or {@link RedisSentinelClient}
   * @throws IllegalArgumentException if it is another one
   * @throws IllegalStateException if this Jedis is too old for it
   */
  public static JedisRateLimiters using(UnifiedJedis client, RateLimiterOptions options) {
    return new JedisRateLimiters(new JedisPort(nodesOf(client)), options, () -> {});
  }

  /** Uses the application's current client, with default options. */
  public static JedisRateLimiters using(Supplier<? extends UnifiedJedis> clients) {
    return using(clients, RateLimiterOptions.defaults());
  }

  /**
   * Uses the application's current client, and never closes it.
   *
   * @param clients returns a {@link RedisClient}, {@link RedisClusterClient} or {@link
   *     RedisSentinelClient}; asked by the first call, and again, on a thread of its own, while the
   *     last client is closed. It may block, and may throw
   */
  public static JedisRateLimiters using(
      Supplier<? extends UnifiedJedis> clients, RateLimiterOptions options) {
    NeededJedis.SINGLE.require();
    Objects.requireNonNull(clients, "clients");
    SuppliedPort port =
        new SuppliedPort(
            () -> {
              NodePools nodes =
                  nodesOf(Objects.requireNonNull(clients.get(), "the supplier returned null"));
              return ClientPort.of(new JedisPort(nodes), nodes::isOpen);
            },
            JedisPort::errorOf);
    return new JedisRateLimiters(port, options, port::close);
  }

  /** For the suite. */
  ScriptPort port() {
    return blockingPort();
  }

  private static NodePools nodesOf(UnifiedJedis client) {
    NeededJedis.SINGLE.require();
    Objects.requireNonNull(client, "client");
    if (client instanceof RedisClient single) {
      return new PoolNodes(single::getPool);
    }
    if (client instanceof RedisClusterClient cluster) {
      NeededJedis.CLUSTER.require();
      return new ClusterNodes(cluster);
    }
    if (client instanceof RedisSentinelClient sentinel) {
      NeededJedis.SENTINEL.require();
      return new PoolNodes(
          () -> sentinel.getPrimaryNodesConnectionMap().values().iterator().next());
    }
    throw new IllegalArgumentException(
        "client must be a RedisClient, RedisClusterClient or RedisSentinelClient: "
            + client.getClass().getName());
  }
}
