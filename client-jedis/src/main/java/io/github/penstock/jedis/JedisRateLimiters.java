package io.github.penstock.jedis;

import io.github.penstock.core.Limit;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.Limiters;
import io.github.penstock.core.spi.ScriptRunner;
import io.github.penstock.core.spi.ScriptSource;
import java.net.URI;
import java.util.Set;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;

/**
 * Rate limiters on a Jedis client: of a single server, a cluster, or the master that Sentinel
 * names.
 *
 * <p>{@code connect...} makes a client of its own, with a pool of up to 64 connections to each
 * node; {@code using} takes the one that the application has, and never closes it. Either way calls
 * go over the client's pooled connections and not through its executor: each is sent once, waits
 * for a connection and for its answer no longer than its deadline, and follows a cluster's
 * redirections. Making a new connection is bounded by the client's own time-outs, which {@code
 * connect...} sets to a quarter of the deadline each. Safe for use by several threads.
 */
public final class JedisRateLimiters implements RateLimiters, ScriptSource {
  private final Limiters limiters;
  private final Runnable close;

  private JedisRateLimiters(Nodes nodes, RateLimiterOptions options, Runnable close) {
    limiters = new Limiters(new JedisPort(nodes), options);
    this.close = close;
  }

  /**
   * Connects to a single server with default options; see {@link #connect(String,
   * RateLimiterOptions)}.
   */
  public static JedisRateLimiters connect(String uri) {
    return connect(uri, RateLimiterOptions.defaults());
  }

  /**
   * Connects to a single server; the first connection is made by the first call.
   *
   * @param uri {@code redis://[[user]:password@]host[:port][/database]}, or {@code rediss://} for
   *     TLS
   * @throws IllegalArgumentException if the URI is none
   */
  public static JedisRateLimiters connect(String uri, RateLimiterOptions options) {
    URI server = Bounded.uri(uri);
    JedisClientConfig config = DefaultJedisClientConfig.builder(server).build();
    RedisClient client =
        RedisClient.builder()
            .hostAndPort(Bounded.node(server))
            .clientConfig(Bounded.config(config, options))
            .poolConfig(Bounded.pool(options))
            .build();
    return new JedisRateLimiters(nodesOf(client), options, client::close);
  }

  /** Connects to a cluster without credentials, with default options. */
  public static JedisRateLimiters connectCluster(Set<HostAndPort> nodes) {
    return connectCluster(
        nodes, DefaultJedisClientConfig.builder().build(), RateLimiterOptions.defaults());
  }

  /**
   * Connects to a cluster.
   *
   * @param nodes some of its nodes
   * @param config credentials, TLS and the like; its time-outs are replaced
   * @throws redis.clients.jedis.exceptions.JedisException if none of the nodes answers
   */
  public static JedisRateLimiters connectCluster(
      Set<HostAndPort> nodes, JedisClientConfig config, RateLimiterOptions options) {
    RedisClusterClient client =
        RedisClusterClient.builder()
            .nodes(nodes)
            .clientConfig(Bounded.config(config, options))
            .poolConfig(Bounded.pool(options))
            .maxAttempts(1)
            .build();
    return new JedisRateLimiters(nodesOf(client), options, client::close);
  }

  /**
   * Connects to the master that Sentinel names.
   *
   * @param masterName what Sentinel calls it
   * @param sentinels some of the sentinels
   * @param config credentials, TLS and the like of the master; its time-outs are replaced
   * @param sentinelConfig the same of the sentinels, taken as it is
   * @throws redis.clients.jedis.exceptions.JedisException if no sentinel answers
   */
  public static JedisRateLimiters connectSentinel(
      String masterName,
      Set<HostAndPort> sentinels,
      JedisClientConfig config,
      JedisClientConfig sentinelConfig,
      RateLimiterOptions options) {
    RedisSentinelClient client =
        RedisSentinelClient.builder()
            .masterName(masterName)
            .sentinels(sentinels)
            .clientConfig(Bounded.config(config, options))
            .sentinelClientConfig(sentinelConfig)
            .poolConfig(Bounded.pool(options))
            .build();
    return new JedisRateLimiters(nodesOf(client), options, client::close);
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
   */
  public static JedisRateLimiters using(UnifiedJedis client, RateLimiterOptions options) {
    return new JedisRateLimiters(nodesOf(client), options, () -> {});
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit) {
    return limiters.limiter(policy, limit);
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

  private static Nodes nodesOf(UnifiedJedis client) {
    if (client instanceof RedisClient single) {
      return new PoolNodes(single::getPool);
    }
    if (client instanceof RedisClusterClient cluster) {
      return new ClusterNodes(cluster);
    }
    if (client instanceof RedisSentinelClient sentinel) {
      return new PoolNodes(
          () -> sentinel.getPrimaryNodesConnectionMap().values().iterator().next());
    }
    throw new IllegalArgumentException(
        "client must be a RedisClient, RedisClusterClient or RedisSentinelClient: "
            + client.getClass().getName());
  }
}
