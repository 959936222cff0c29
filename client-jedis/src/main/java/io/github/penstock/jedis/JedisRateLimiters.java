package io.github.penstock.jedis;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.adapter.TransportRateLimiters;
import io.github.penstock.core.spi.connecting.ClientTransport;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.connecting.ServerUri;
import io.github.penstock.core.spi.connecting.SuppliedTransport;
import java.util.Objects;
import java.util.function.Supplier;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Rate limiters on a Jedis client: of a single server, a cluster, or the master that Sentinel
 * names.
 *
 * <p>{@code connect} creates a separate client, with a pool of up to 64 connections to each node;
 * {@code using} takes the one that the application has, and never closes it. Either way calls go
 * over the client's pooled connections and not through its executor: each is sent once, waits for a
 * connection and for its answer no longer than its deadline, and follows a cluster's redirections.
 * Making a new connection is bounded by the client's own time-outs, which {@code connect} sets to a
 * quarter of the deadline each. A late call ends up to 250 ms and two round trips after its
 * deadline, once a check on a separate connection shows whether the server answers (rule F2). Safe
 * for use by several threads.
 */
public final class JedisRateLimiters extends TransportRateLimiters {
  private JedisRateLimiters(
      ScriptTransport transport,
      RateLimiterOptions options,
      KnownPasswords passwords,
      Runnable close) {
    super(transport, options, passwords, close);
  }

  /**
   * Connects to a single server, a cluster, or the master that Sentinel names. It connects in the
   * background; while that fails, calls end as {@link RateLimiterOptions#onUnavailable()} says.
   *
   * @param uri {@code redis://[[user]:password@]host[:port][/database]}, {@code
   *     redis-cluster://...} or {@code redis-sentinel://...}, {@code rediss} for TLS, as {@link
   *     ServerUri} describes it
   * @throws IllegalArgumentException if the URI is invalid
   * @throws IllegalStateException if this Jedis is too old for it
   */
  public static JedisRateLimiters connect(String uri, RateLimiterOptions options) {
    ServerUri server = ServerUri.parse(uri);
    NeededJedis.of(server).require();
    BoundedConfig config = new BoundedConfig(options);
    SuppliedTransport transport = supplied(() -> OwnClient.connect(config, server));
    return new JedisRateLimiters(transport, options, KnownPasswords.of(uri), transport::close);
  }

  /**
   * Uses the application's client, and never closes it.
   *
   * @param client a {@link RedisClient}, {@link RedisClusterClient} or {@link RedisSentinelClient}
   * @throws IllegalArgumentException if it is another one
   * @throws IllegalStateException if this Jedis is too old for it
   */
  public static JedisRateLimiters using(UnifiedJedis client, RateLimiterOptions options) {
    JedisTransport transport = JedisTransport.of(NodePools.of(client, null), true);
    return new JedisRateLimiters(transport, options, KnownPasswords.none(), () -> {});
  }

  /**
   * Uses the application's current client, and never closes it.
   *
   * @param clients returns a {@link RedisClient}, {@link RedisClusterClient} or {@link
   *     RedisSentinelClient}; called at once, and again, on a separate thread, while the last
   *     client is closed. It may block, and may throw
   */
  public static JedisRateLimiters using(
      Supplier<? extends UnifiedJedis> clients, RateLimiterOptions options) {
    NeededJedis.SINGLE.require();
    Objects.requireNonNull(clients, "clients");
    SuppliedTransport transport =
        supplied(
            () -> {
              UnifiedJedis client = clients.get();
              Objects.requireNonNull(client, "the supplier returned null");
              NodePools nodes = NodePools.of(client, null);
              return ClientTransport.of(JedisTransport.of(nodes, false), nodes::isOpen);
            });
    return new JedisRateLimiters(transport, options, KnownPasswords.none(), transport::close);
  }

  private static SuppliedTransport supplied(Supplier<ClientTransport> clients) {
    return new SuppliedTransport(
        () -> {
          try {
            return clients.get();
          } catch (JedisException e) {
            throw JedisTransport.withCause(e);
          }
        },
        JedisTransport::failureOf);
  }

  /** For the suite. */
  ScriptTransport transport() {
    return limitersTransport();
  }
}
