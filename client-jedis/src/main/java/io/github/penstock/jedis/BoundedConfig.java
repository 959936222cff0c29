package io.github.penstock.jedis;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.connecting.ServerUri;
import io.github.penstock.core.spi.connecting.ServerUri.Credentials;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Makes clients none of whose own waits outlasts a deadline by more than rule F2.8 allows.
 *
 * @param options those of the limiters
 */
record BoundedConfig(RateLimiterOptions options) {
  private static final int CONNECTIONS = 64;
  private static final int CHECK_MILLIS = 5_000;

  /* With less, a burst of short deadlines begins one TLS handshake after another, and ends none. */
  private static final int LEAST_MILLIS = 100;

  /**
   * The address of a primary: that of the first sentinel that answers. Jedis also queries them, but
   * does not report their answers, and learns of a later address only while its subscriptions live.
   *
   * @throws JedisException with the answer of each of them, if none of them knows
   */
  HostAndPort primary(ServerUri.Sentinel uri) {
    String masterName = uri.masterName();
    JedisException none =
        new JedisConnectionException("no sentinel told where " + masterName + " is");
    for (HostAndPort sentinel : nodes(uri.sentinels())) {
      try (Jedis jedis = new Jedis(sentinel, ofSentinels(uri))) {
        List<String> address = jedis.sentinelGetMasterAddrByName(masterName);
        if (address != null) {
          return new HostAndPort(address.get(0), Integer.parseInt(address.get(1)));
        }
        none.addSuppressed(
            new JedisDataException("ERR No such master with that name: " + masterName));
      } catch (JedisException e) {
        none.addSuppressed(e);
      }
    }
    throw none;
  }

  /** Makes a client; those of clusters and Sentinel connect at once. */
  UnifiedJedis client(ServerUri uri) {
    if (uri instanceof ServerUri.Cluster cluster) {
      return RedisClusterClient.builder()
          .nodes(nodes(cluster.nodes()))
          .clientConfig(config(uri, null))
          .poolConfig(pool())
          .maxAttempts(1)
          .build();
    }
    if (uri instanceof ServerUri.Sentinel sentinel) {
      primary(sentinel);
      return RedisSentinelClient.builder()
          .masterName(sentinel.masterName())
          .sentinels(nodes(sentinel.sentinels()))
          .clientConfig(config(uri, sentinel.database()))
          .sentinelClientConfig(ofSentinels(sentinel))
          .poolConfig(pool())
          .build();
    }
    ServerUri.Single single = (ServerUri.Single) uri;
    return RedisClient.builder()
        .hostAndPort(node(single.address()))
        .clientConfig(config(uri, single.database()))
        .poolConfig(pool())
        .build();
  }

  /** Makes a connection for the check, which may take longer than a call. */
  Connection check(ServerUri uri, HostAndPort node) {
    @Nullable Integer database =
        uri instanceof ServerUri.Single single
            ? single.database()
            : uri instanceof ServerUri.Sentinel sentinel ? sentinel.database() : null;
    try {
      return new Connection(node, config(uri, database, CHECK_MILLIS));
    } catch (JedisException e) {
      throw JedisTransport.withCause(e);
    }
  }

  private JedisClientConfig config(ServerUri uri, @Nullable Integer database) {
    return config(uri, database, connectingMillis());
  }

  private JedisClientConfig config(ServerUri uri, @Nullable Integer database, int millis) {
    DefaultJedisClientConfig.Builder config = bounded(uri, millis);
    Credentials credentials = uri.credentials();
    if (credentials != null) {
      config.credentialsProvider(signIn(credentials));
    }
    if (database != null) {
      config.database(database);
    }
    return options.peekOnReplicas()
        ? config.readOnlyForRedisClusterReplicas().build()
        : config.build();
  }

  /* Sentinels have separate credentials; the master's are not sent to them. */
  private JedisClientConfig ofSentinels(ServerUri.Sentinel uri) {
    return bounded(uri, connectingMillis())
        .credentialsProvider(signIn(uri.sentinelCredentials()))
        .build();
  }

  /*
   * A quarter of the deadline each for the TCP connection and for an answer of the handshake, or 100
   * ms. A call sets the remaining time for its own answer.
   */
  @SuppressWarnings("deprecation")
  private static DefaultJedisClientConfig.Builder bounded(ServerUri uri, int millis) {
    return DefaultJedisClientConfig.builder()
        .connectionTimeoutMillis(millis)
        .socketTimeoutMillis(millis)
        .ssl(uri.tls());
  }

  private int connectingMillis() {
    return (int) Math.max(LEAST_MILLIS, options.deadline().toMillis() / 4);
  }

  /* No caller waits forever, and connections stay for the next burst. */
  private ConnectionPoolConfig pool() {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(CONNECTIONS);
    pool.setMaxIdle(CONNECTIONS);
    pool.setMaxWait(Duration.ofMillis(Math.max(1, options.deadline().toMillis())));
    return pool;
  }

  private static Supplier<RedisCredentials> signIn(@Nullable Credentials credentials) {
    RedisCredentials own =
        credentials == null
            ? new DefaultRedisCredentials(null, (CharSequence) null)
            : new DefaultRedisCredentials(credentials.user(), credentials.password());
    return () -> own;
  }

  private static Set<HostAndPort> nodes(Collection<InetSocketAddress> addresses) {
    return addresses.stream().map(BoundedConfig::node).collect(Collectors.toUnmodifiableSet());
  }

  static HostAndPort node(InetSocketAddress address) {
    return new HostAndPort(address.getHostString(), address.getPort());
  }
}
