package io.github.penstock.jedis;

import io.github.penstock.core.RateLimiterOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;

/** What a client needs so that nothing it does by itself outlasts a deadline. */
final class Bounded {
  private static final int CONNECTIONS = 64;

  private Bounded() {}

  /**
   * The configuration with time-outs within the deadline: a quarter each for the TCP connection and
   * for an answer of the handshake. What is left, at least half, a call sets for its own answer.
   */
  static JedisClientConfig config(JedisClientConfig config, RateLimiterOptions options) {
    int quarter = (int) Math.max(1, options.deadline().toMillis() / 4);
    DefaultJedisClientConfig.Builder builder =
        DefaultJedisClientConfig.builder()
            .from(config)
            .connectionTimeoutMillis(quarter)
            .socketTimeoutMillis(quarter);
    return options.peekOnReplicas()
        ? builder.readOnlyForRedisClusterReplicas().build()
        : builder.build();
  }

  /** A pool per node in which nobody waits for ever, and connections stay for the next burst. */
  static ConnectionPoolConfig pool(RateLimiterOptions options) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(CONNECTIONS);
    pool.setMaxIdle(CONNECTIONS);
    pool.setMaxWait(Duration.ofMillis(Math.max(1, options.deadline().toMillis())));
    return pool;
  }

  /** Where a URI points to, port 6379 unless told; the message never repeats a password. */
  static URI uri(String text) {
    try {
      URI uri = new URI(text);
      boolean known = "redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme());
      if (known && uri.getHost() != null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      throw invalid(e.getReason());
    }
    throw invalid("it has another scheme or no host");
  }

  static HostAndPort node(URI uri) {
    return new HostAndPort(
        uri.getHost(), uri.getPort() == -1 ? Protocol.DEFAULT_PORT : uri.getPort());
  }

  private static IllegalArgumentException invalid(String why) {
    return new IllegalArgumentException(
        "uri must be redis://[[user]:password@]host[:port][/database] or rediss://...: " + why);
  }
}
